/** A readable axis has steps of these values times a power of ten. */
const STEPS = [1, 2, 5, 10];

/** Returns about `count` round tick values from 0; the last is at or above the largest value. */
export const ticksUpTo = (largest: number, count = 5): readonly number[] => {
  const rough = Math.max(largest, 1) / count;
  const magnitude = 10 ** Math.floor(Math.log10(rough));
  const step = Math.max(1, (STEPS.find((each) => each * magnitude >= rough) ?? 10) * magnitude);
  return Array.from({ length: Math.ceil(Math.max(largest, 1) / step) + 1 }, (_, index) => index * step);
};

const LAKH = 100_000;
const CRORE = 10_000_000;

const short = (value: number): string => String(Math.round(value * 100) / 100);

/** Returns rupees with Indian units: `₹50k`, `₹2L`, `₹1.5Cr`. */
export const axisText = (rupees: number): string => {
  if (rupees === 0) return '0';
  if (rupees >= CRORE) return `₹${short(rupees / CRORE)}Cr`;
  if (rupees >= LAKH) return `₹${short(rupees / LAKH)}L`;
  return rupees >= 1000 ? `₹${short(rupees / 1000)}k` : `₹${short(rupees)}`;
};
