// Converts a pointer into local memory to PTX's 32-bit address (NVIDIA).
#define LOCAL_ADDRESS(pointer) ((uint)(ulong)(pointer))
