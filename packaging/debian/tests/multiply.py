# A product of NumPy that is large enough for a device, compared with one of integers.
import numpy as np

a = np.arange(300 * 200).reshape(300, 200) % 17
b = np.arange(200 * 100).reshape(200, 100) % 13
assert np.array_equal(a.astype(float) @ b.astype(float), a @ b)
