// Bad types: requests for element types that cannot be met, and numbers that a type cannot hold.
#pragma once

namespace tessera::test {

struct BadInput {
  const char* name;
  const char* arguments;
  int status;
  const char* cause;  ///< what the message has to say
  const char* environment = "";
};

const BadInput kBadTypes[] = {
    {"GeneratorFraction", "multiply hilbert:3 ones:3x3 --dtype int32", 2,
     "hilbert:3: row 1, column 2: 0.5 is not an integer, and the type is int32"},
    {"TooLargeForInt32", "multiply big.csv ones:1x1 --dtype int32", 2,
     "big.csv: row 1, column 1: 3000000000 does not fit in int32"},
    {"GeneratorFractionOfInt8", "multiply hilbert:3 ones:3x3 --dtype int8", 2,
     "hilbert:3: row 1, column 2: 0.5 is not an integer, and the type is int8"},
    {"TooLargeForInt8", "multiply byte.csv ones:1x1 --dtype int8", 2,
     "byte.csv: row 1, column 1: 128 does not fit in int8"},
    {"AlphaForInt8", "multiply ones:2x2 ones:2x2 --dtype int8 --alpha 3000000000", 2,
     "--alpha: 3000000000 does not fit in int32"},
    {"VectorOfInt8", "tune matrix_vector --dtype int8 --budget 1s", 2,
     "matrix_vector is not for int8"},
    {"TooLargeForBfloat16", "multiply range.csv ones:1x1 --dtype bfloat16", 2,
     "range.csv: row 1, column 1: 3.4e+38 does not fit in bfloat16"},
    {"TooLargeForHalf", "multiply big.csv ones:1x1 --dtype half", 2,
     "3000000000 does not fit in half"},
    {"AlphaForInt32", "multiply ones:2x2 ones:2x2 --dtype int32 --alpha 0.5", 2,
     "--alpha: 0.5 is not an integer"},
    {"UnknownType", "multiply ones:2x2 ones:2x2 --dtype quad", 2,
     "--dtype: expected float, double, half, bfloat16, int32, int8, complex64 or complex128, got "
     "'quad'"},
    {"UnknownResultType", "multiply ones:2x2 ones:2x2 --out-dtype quad", 2,
     "--out-dtype: expected float, double, half, bfloat16, int32, int8, complex64 or complex128, "
     "got 'quad'"},
    {"ResultTypeOfHalf", "multiply ones:2x2 ones:2x2 --dtype half --out-dtype double", 2,
     "--out-dtype: expected float or half for products of half, got 'double'"},
    {"ResultTypeOfInt8", "multiply ones:2x2 ones:2x2 --dtype int8 --out-dtype float", 2,
     "--out-dtype: expected int32 for products of int8, got 'float'"},
    {"ResultTypeOfGenerators", "multiply ones:2x2 ones:2x2 --out-dtype half", 2,
     "--out-dtype: expected float for products of float, got 'half'"},
    {"TwoResultTypes", "multiply ones:2x2 ones:2x2 --dtype 'half -> float' --out-dtype half", 2,
     "--out-dtype: expected float with --dtype 'half -> float', got 'half'"},
    {"NoOperandType", "multiply ones:2x2 ones:2x2 --dtype '-> float'", 2,
     "--dtype: expected a type or 'half -> float', got '-> float'"},
    {"ComplexAlphaOfFloat", "multiply ones:2x2 ones:2x2 --alpha 1+2i", 2,
     "--alpha: expected a real number for float, got 1+2i"},
    {"NoNumber", "multiply ones:2x2 ones:2x2 --dtype complex64 --alpha 1+i", 2,
     "--alpha: invalid number '1+i'; expected e.g. 1.5 or 1.5-2i"},
    {"NoSign", "multiply ones:2x2 ones:2x2 --dtype complex64 --alpha 12i", 2,
     "--alpha: invalid number '12i'"},
    {"ComplexAsText", "multiply ones:2x2 ones:2x2 --dtype complex64 -o c.csv", 2,
     "-o c.csv: expected a .npy or .mtx file for complex64"},
    {"EigenOfComplex", "eigen ones:2x2 --dtype complex64", 2,
     "--dtype: expected float or double, got 'complex64'"},
    {"EigenType", "eigen ones:2x2 --dtype int32", 2,
     "--dtype: expected float or double, got 'int32'"},
    {"TuneUnknownType", "tune multiply --dtype quad", 2, "--dtype: expected float, double"},
    {"TuneTypeOfRowSum", "tune row_sum --dtype half", 2, "row_sum is not for half"},
    {"TuneResultType", "tune multiply --dtype half --out-dtype int8", 2,
     "--out-dtype: expected float or half for products of half, got 'int8'"},
    {"TuneResultTypeOfVector", "tune matrix_vector --dtype half --out-dtype float", 2,
     "matrix_vector is not for half -> float"},
};

}  // namespace tessera::test
