
BprobabilitiesJ(»,?SÌ¬—Q²,Ëµ*O¤î0C«c+¥ú5ðÄÕê"8µ˜P;