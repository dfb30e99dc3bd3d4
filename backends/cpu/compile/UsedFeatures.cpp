//===- UsedFeatures.cpp - extensions that machine code uses ---------------===//
// SPDX-License-Identifier: MIT
//
// The code is disassembled, and one instruction of each opcode is looked at. On
// Arm, LLVM's assembler refuses an instruction that a processor does not have:
// the instructions are assembled once for each extension, for a processor that
// lacks this one. On x86-64 the assembler takes all instructions, and their
// names have the extension.
//
//===----------------------------------------------------------------------===//

#include "UsedFeatures.h"
#include "device/Features.h"
#include "llvm/MC/MCAsmInfo.h"
#include "llvm/MC/MCContext.h"
#include "llvm/MC/MCDisassembler/MCDisassembler.h"
#include "llvm/MC/MCInst.h"
#include "llvm/MC/MCInstPrinter.h"
#include "llvm/MC/MCInstrInfo.h"
#include "llvm/MC/MCObjectFileInfo.h"
#include "llvm/MC/MCParser/MCAsmParser.h"
#include "llvm/MC/MCParser/MCTargetAsmParser.h"
#include "llvm/MC/MCRegisterInfo.h"
#include "llvm/MC/MCStreamer.h"
#include "llvm/MC/MCSubtargetInfo.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Object/ObjectFile.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Regex.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Support/TargetSelect.h"
#include <set>

using namespace llvm;
using glow::cpu::usedFeatures;

namespace {

class Assembly {
public:
  explicit Assembly(const glow::cpu::Target &target)
      : machine(*target.machine), triple(machine.getTargetTriple()),
        registers(*machine.getMCRegisterInfo()),
        instructions(*machine.getMCInstrInfo()) {}

  /// A line of assembly for one instruction of each opcode in the sections of
  /// code; `names` get LLVM's names of the opcodes.
  std::string linesOf(const object::ObjectFile &file,
                      std::vector<StringRef> &names) {
    MCContext context(triple, machine.getMCAsmInfo(), &registers,
                      machine.getMCSubtargetInfo());
    std::unique_ptr<MCDisassembler> reader(
        machine.getTarget().createMCDisassembler(*machine.getMCSubtargetInfo(),
                                                 context));
    std::unique_ptr<MCInstPrinter> printer(
        machine.getTarget().createMCInstPrinter(
            triple, machine.getMCAsmInfo()->getAssemblerDialect(),
            *machine.getMCAsmInfo(), instructions, registers));
    std::string lines;
    raw_string_ostream stream(lines);
    for (const object::SectionRef &section : file.sections()) {
      Expected<StringRef> bytes = section.getContents();
      if (!section.isText() || !bytes) {
        consumeError(bytes.takeError());
        continue;
      }
      ArrayRef<uint8_t> code(bytes->bytes_begin(), bytes->bytes_end());
      while (!code.empty()) {
        MCInst instruction;
        uint64_t size = 0;
        auto status =
            reader->getInstruction(instruction, size, code, 0, nulls());
        if (status == MCDisassembler::Success &&
            seen.insert(instruction.getOpcode()).second) {
          printer->printInst(&instruction, 0, "", *machine.getMCSubtargetInfo(),
                             stream);
          stream << "\n";
          names.push_back(instructions.getName(instruction.getOpcode()));
        }
        code = code.drop_front(std::clamp<size_t>(size, 1, code.size()));
      }
    }
    return lines;
  }

  /// The lines, by their number, that are no instructions of the processor with
  /// these features more, or less.
  std::set<unsigned> refused(StringRef lines, StringRef features) const {
    std::set<unsigned> numbers;
    SourceMgr sources;
    sources.setDiagHandler(
        [](const SMDiagnostic &diagnostic, void *numbers) {
          if (diagnostic.getKind() == SourceMgr::DK_Error)
            static_cast<std::set<unsigned> *>(numbers)->insert(
                unsigned(diagnostic.getLineNo()));
        },
        &numbers);
    sources.AddNewSourceBuffer(MemoryBuffer::getMemBuffer(lines, "", false),
                               SMLoc());
    std::string all = machine.getTargetFeatureString().str();
    all += (all.empty() ? "" : ",") + features.str();
    std::unique_ptr<MCSubtargetInfo> processor(
        machine.getTarget().createMCSubtargetInfo(triple,
                                                  machine.getTargetCPU(), all));
    MCContext context(triple, machine.getMCAsmInfo(), &registers,
                      processor.get(), &sources);
    std::unique_ptr<MCObjectFileInfo> sections(
        machine.getTarget().createMCObjectFileInfo(context, /*PIC=*/true));
    context.setObjectFileInfo(sections.get());
    std::unique_ptr<MCStreamer> nowhere(
        machine.getTarget().createNullStreamer(context));
    std::unique_ptr<MCAsmParser> parser(
        createMCAsmParser(sources, context, *nowhere, *machine.getMCAsmInfo()));
    std::unique_ptr<MCTargetAsmParser> language(
        machine.getTarget().createMCAsmParser(*processor, *parser, instructions,
                                              MCTargetOptions()));
    if (!language)
      return {};
    parser->setTargetParser(*language);
    parser->Run(/*NoInitialTextSection=*/false);
    return numbers;
  }

private:
  TargetMachine &machine;
  const Triple &triple;
  const MCRegisterInfo &registers;
  const MCInstrInfo &instructions;
  std::set<unsigned> seen; // opcodes
};

} // namespace

/// The extensions that a kind of processors may have.
static std::span<const std::string_view> featuresOf(const Triple &triple) {
  if (triple.getArch() == Triple::x86_64)
    return glow::cpu::x86Features();
  if (triple.isAArch64())
    return glow::cpu::armFeatures();
  return {};
}

/// Extensions of x86-64 and the names of their instructions. Extensions without
/// a row count as used: code for a processor with AVX2 has instructions of AVX,
/// and AVX has the forms of SSE.
static constexpr std::pair<StringRef, const char *> namesOfX86[] = {
    {"sse4a", "^(EXTRQ|INSERTQ|MOVNTS[SD])"},
    {"popcnt", "^POPCNT"},
    {"lzcnt", "^LZCNT"},
    {"movbe", "^MOVBE"},
    {"bmi", "^(ANDN|BEXTR|BLSI|BLSR|BLSMSK|TZCNT)"},
    {"bmi2", "^(BZHI|MULX|PDEP|PEXT|RORX|SARX|SHLX|SHRX)"},
    {"adx", "^(ADCX|ADOX)"},
    {"aes", "^V?AES"},
    {"pclmul", "^V?PCLMUL"},
    {"sha", "^SHA(1|256)"},
    {"gfni", "GF2P8"},
    {"f16c", "^VCVTP(H2PS|S2PH)"},
    {"fma", "^VFN?M(ADD|SUB)"},
    {"vaes", "^VAES.*[YZ]"},
    {"vpclmulqdq", "^VPCLMULQDQ[YZ]"},
    {"avxvnni", "^VPDP(BUSD|WSSD)S?Y?r"},
    {"avxifma", "^VPMADD52[HL]UQY?r"},
    {"avxvnniint8", "^VPDPB(SS|SU|UU)D"},
    {"avxvnniint16", "^VPDPW(SU|US|UU)D"},
    {"avxneconvert", "^(VBCSTNE|VCVTNE[EO]|VCVTNEPS2BF16Y?r)"},
    {"avx512f", "(Z(128|256)?[rmkb]|^K[A-Z])"},
    {"avx512bw", "(Z(128|256)?[rmkb]|^K[A-Z])"},
    {"avx512dq", "(Z(128|256)?[rmkb]|^K[A-Z])"},
    {"avx512vl", "(Z(128|256)?[rmkb]|^K[A-Z])"},
    {"avx512cd", "^(VPCONFLICT|VPLZCNT|VPBROADCASTM)"},
    {"avx512ifma", "^VPMADD52[HL]UQZ"},
    {"avx512vbmi", "^(VPERM(B|I2B|T2B)|VPMULTISHIFTQB)"},
    {"avx512vbmi2", "^(VPCOMPRESS[BW]|VPEXPAND[BW]|VPSH[LR]D)"},
    {"avx512vnni", "^VPDP(BUSD|WSSD)S?Z"},
    {"avx512bitalg", "^(VPOPCNT[BW]|VPSHUFBITQMB)"},
    {"avx512vpopcntdq", "^VPOPCNT[DQ]"},
    {"avx512vp2intersect", "^VP2INTERSECT"},
    {"avx512bf16", "^(VDPBF16PS|VCVTNE2PS2BF16|VCVTNEPS2BF16Z)"},
    {"avx512fp16",
     "^(VMOVSH(Z|to)|VMOVW|VCVT.*PHX|V.*(PHZ|SHZ)|VFC?M.*C(PH|SH))"},
    {"amx-tile", "^(P?TILE|LDTILECFG|STTILECFG|TDP|TCMM)"},
    {"amx-int8", "^TDPB[SU][SU]D"},
    {"amx-bf16", "^TDPBF16"},
    {"amx-fp16", "^TDPFP16"},
    {"amx-complex", "^TCMM"}};

/// Whether an extension of x86-64 has one of the instructions.
static bool usesX86(StringRef feature, ArrayRef<StringRef> names) {
  const auto *found = find_if(
      namesOfX86, [&](const auto &row) { return row.first == feature; });
  if (found == std::end(namesOfX86))
    return true;
  Regex pattern(found->second);
  return any_of(names, [&](StringRef name) {
    // AVX-512F has the conversion to f16, whose name ends like those of others.
    bool isOlder = feature == "avx512fp16" && name.starts_with("VCVTPS2PHZ");
    return !isOlder && pattern.match(name);
  });
}

std::vector<std::string> glow::cpu::usedFeatures(const Target &target,
                                                 StringRef object) {
  auto file = object::ObjectFile::createObjectFile({object, "program"});
  if (!file) {
    consumeError(file.takeError());
    return {};
  }
  [[maybe_unused]] static const bool once =
      (InitializeAllDisassemblers(), true);
  const Triple &triple = target.machine->getTargetTriple();
  Assembly assembly(target);
  std::vector<StringRef> names;
  std::string lines = assembly.linesOf(**file, names);
  // Lines that the assembler does not know in this form at all.
  std::set<unsigned> unknown = assembly.refused(lines, "");
  auto isUsed = [&](StringRef feature) {
    return triple.isX86()
               ? usesX86(feature, names)
               : assembly.refused(lines, ("-" + feature).str()) != unknown;
  };
  std::vector<std::string> used;
  for (StringRef feature : featuresOf(triple))
    if (target.has(feature) && isUsed(feature))
      used.push_back(feature.str());
  return used;
}

std::vector<std::string> glow::cpu::possibleFeatures(const Target &target,
                                                     bool usesTiles) {
  std::vector<std::string> features;
  for (StringRef feature : featuresOf(target.machine->getTargetTriple()))
    if (target.has(feature) && (usesTiles || !feature.starts_with("amx")))
      features.push_back(feature.str());
  return features;
}
