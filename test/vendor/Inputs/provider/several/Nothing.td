include "glow/Glow.td"
