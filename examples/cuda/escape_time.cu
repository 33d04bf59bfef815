// Steps until z = z*z + c leaves a circle: how many differs from thread to thread.
__global__ void escape_time(unsigned short* steps, int width, int height, float left, float top, float pixel) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x;
    const int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= width || y >= height) {
        return;
    }
    const float cr = left + pixel * x;
    const float ci = top - pixel * y;
    float zr = 0.0f, zi = 0.0f;
    int step = 0;
    while (step < 256 && zr * zr + zi * zi < 4.0f) {
        const float next = zr * zr - zi * zi + cr;
        zi = 2.0f * zr * zi + ci;
        zr = next;
        ++step;
    }
    steps[y * width + x] = static_cast<unsigned short>(step);
}
