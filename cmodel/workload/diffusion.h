/* Speckle-reducing anisotropic diffusion: the diffusion coefficient of a pixel, for srad and srad2
 * [Rodinia]. */
#ifndef GOLDMEM_WORKLOAD_DIFFUSION_H
#define GOLDMEM_WORKLOAD_DIFFUSION_H

/* Returns the coefficient, 0 to 1, of a pixel whose neighbours differ from it by north, south,
 * west, east; q0 is the speckle scale. 24 FP32 and 3 special instructions with the differences. */
static inline float gm_diffusion(float centre, float north, float south, float west, float east,
                                 float q0)
{
    float gradient =
        (north * north + south * south + west * west + east * east) / (centre * centre);
    float laplacian = (north + south + west + east) / centre;
    float scaled = 1.0F + 0.25F * laplacian;
    float q = (0.5F * gradient - 0.0625F * laplacian * laplacian) / (scaled * scaled);
    float c = 1.0F / (1.0F + (q - q0) / (q0 * (1.0F + q0)));
    return c < 0.0F ? 0.0F : c > 1.0F ? 1.0F : c;
}

#endif
