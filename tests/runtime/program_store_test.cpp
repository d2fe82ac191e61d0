// Programs: built once, from sources that errors name.
#include "runtime/program_store.hpp"

#include <gtest/gtest.h>

#include <string>
#include <thread>
#include <vector>

#include "runtime/kernel_source.hpp"
#include "runtime/naive_program.hpp"
#include "support/device.hpp"
#include "support/folder.hpp"
#include "support/variable.hpp"
#include "tessera/error.hpp"

namespace tessera::runtime {
namespace {

using test::Folder;
using test::Variable;

TEST(ProgramStoreTest, BuildsOnceForManyThreads) {
  ProgramStore store(context().handle(), context().device());
  std::vector<std::shared_ptr<Program>> programs(4);
  {
    std::vector<std::jthread> threads;
    for (auto& program : programs) {
      threads.emplace_back([&] { program = store.get(kNaive, "-D ELEMENT=0 -D OUTPUT=0"); });
    }
  }
  for (const auto& program : programs) EXPECT_EQ(program, programs.front());
  EXPECT_NE(store.get(kNaive, "-D ELEMENT=2 -D OUTPUT=2"), programs.front());
}

TEST(ProgramStoreTest, ABuildErrorNamesFileLineAndOptions) {
  const Folder folder;
  folder.file("multiply/naive.cl", "kernel void multiply_naive() {\n  undeclared = 1;\n}\n");
  const Variable override_folder("TESSERA_KERNEL_DIR", folder.path().string());
  const Variable no_cache("TESSERA_CACHE", "off");
  ProgramStore store(context().handle(), context().device());
  for (int turn = 0; turn < 2; turn++) {  // a later call tries again
    try {
      store.get(kNaive, "-D ELEMENT=0 -D OUTPUT=0");
      FAIL() << "nothing was thrown";
    } catch (const BuildError& error) {
      EXPECT_EQ(error.file(), "cl/multiply/naive.cl");
      EXPECT_EQ(error.options(), "-D ELEMENT=0 -D OUTPUT=0");
      EXPECT_EQ(error.device(), test::engine().device().name);
      EXPECT_NE(error.log().find("undeclared"), std::string::npos) << error.log();
      EXPECT_NE(error.log().find("naive.cl:2"), std::string::npos) << error.log();
      EXPECT_EQ(std::string(error.what()).find('\n'), std::string::npos)
          << "what() is one line: " << error.what();
    }
  }
}

TEST(ProgramStoreTest, MissingMacrosStopTheBuild) {
  const Variable no_cache("TESSERA_CACHE", "off");
  ProgramStore store(context().handle(), context().device());
  try {
    store.get("multiply/tiled_static.cl", "-D ELEMENT=0 -D OUTPUT=0");
    FAIL() << "nothing was thrown";
  } catch (const BuildError& error) {
    EXPECT_NE(error.log().find("TILE is not defined"), std::string::npos) << error.log();
  }
}

/// Only a driver for Hopper has PTX to refuse.
TEST(ProgramStoreTest, WhyPtxIsNotTakenIsTold) {
  const Folder folder;
  folder.file("multiply/naive.cl",
              "kernel void multiply_naive() {\n"
              "#ifdef __NV_CL_C_VERSION\n"
              "  asm volatile(\"//@nonsense;\");\n"
              "#endif\n"
              "}\n");
  const Variable override_folder("TESSERA_KERNEL_DIR", folder.path().string());
  const Variable no_cache("TESSERA_CACHE", "off");
  ProgramStore store(context().handle(), context().device());
  try {
    store.get(kNaive, "-D ELEMENT=0 -D OUTPUT=0");
    FAIL() << "nothing was thrown";
  } catch (const BuildError& error) {
    const std::string text = error.what();
    EXPECT_TRUE(text.find("gives no PTX for sm_90") != std::string::npos ||
                text.find("instruction: 'nonsense'") != std::string::npos)
        << text;
  }
}

TEST(ProgramStoreTest, TheFirstErrorOfALogIsTold) {
  const auto told = [](const std::string& log) {
    return std::string(BuildError("a.cl", "a GPU", "-O", log).what());
  };
  const std::string end = "\nptxas fatal   : Ptx assembly aborted due to errors\n";
  EXPECT_EQ(told("(): Warning: x\nptxas line 4; error   : y" + end),
            "a.cl does not compile on a GPU with \"-O\": ptxas line 4; error   : y");
  EXPECT_EQ(
      told("ptxas line 2; fatal   : Unsupported .target" + end),
      "a.cl does not compile on a GPU with \"-O\": ptxas line 2; fatal   : Unsupported .target");
  EXPECT_EQ(told(""), "a.cl does not compile on a GPU with \"-O\": the compiler says nothing");
}

TEST(ProgramStoreTest, LogsOfCompilersThatDoNotHeedLineMarksNameFilesToo) {
  const std::string source = "#line 1 \"cl/common/a.cl\"\none\ntwo\n#line 1 \"cl/b/c.cl\"\none\n";
  EXPECT_EQ(
      with_files("<kernel>:3:5: error: x\n<kernel>:5:1: note: y\n<kernel>:9: z\nthe end", source),
      "cl/common/a.cl:2:5: error: x\ncl/b/c.cl:1:1: note: y\n<kernel>:9: z\nthe end");
}

TEST(ProgramStoreTest, AnUnknownFileIsAnError) {
  EXPECT_THROW(joined_source("multiply/abacus.cl"), Error);
}

TEST(KernelSourceTest, NamesEachFileForTheBuildLog) {
  const std::string source = joined_source(kNaive);
  EXPECT_NE(source.find("#line 1 \"cl/common/element.cl\"\n// Element types"), std::string::npos);
  EXPECT_NE(source.find("#line 1 \"cl/multiply/naive.cl\"\n"), std::string::npos);
}

TEST(KernelSourceTest, IncludesComeOnceAndFirstAndLinesKeepTheirNumbers) {
  const Folder folder;
  folder.file("a.cl", "// a\n#include \"b.cl\"\n#include \"c.cl\"\na\n");
  folder.file("b.cl", "#include \"c.cl\"\nb");
  folder.file("c.cl", "#include \"a.cl\"\nc\n");  // a circle ends
  const Variable override_folder("TESSERA_KERNEL_DIR", folder.path().string());
  EXPECT_EQ(with_includes("a.cl"), (std::vector<std::string>{"c.cl", "b.cl", "a.cl"}));
  EXPECT_EQ(joined_source("a.cl"),
            "#line 1 \"cl/c.cl\"\n\nc\n#line 1 \"cl/b.cl\"\n\nb\n"
            "#line 1 \"cl/a.cl\"\n// a\n\n\na\n");
}

TEST(KernelSourceTest, AnAbsolutePathIsLeftToTheCompiler) {
  const Folder folder;
  folder.file("a.cl", "#include \"/none.cl\"\na\n");
  const Variable override_folder("TESSERA_KERNEL_DIR", folder.path().string());
  EXPECT_EQ(with_includes("a.cl"), std::vector<std::string>{"a.cl"});
  EXPECT_EQ(joined_source("a.cl"), "#line 1 \"cl/a.cl\"\n#include \"/none.cl\"\na\n");
}

TEST(KernelSourceTest, EveryKernelFileIsEmbeddedAndOpensWithItsContract) {
  EXPECT_GE(embedded_kernels().size(), 14u);
  for (const auto& kernel : embedded_kernels()) {
    EXPECT_TRUE(kernel.text.starts_with("// ")) << kernel.file << " opens with its contract";
    EXPECT_LT(kernel.text.size(), 16000u)
        << kernel.file << ": the limit of a literal in some compilers";
  }
}

}  // namespace
}  // namespace tessera::runtime
