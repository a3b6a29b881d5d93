/** How the CPEs of a template are divided into waves, and what has to hold before the next one starts. Pure. */
import { z } from "zod";
import * as codec from "#kernel/codec.ts";
import { failsWith } from "#kernel/rule.ts";

/** Waves that a plan names at most; what is left over is one more. */
export const maxWaves = 10;

const size = /^(?:[1-9]\d{0,5}|(?:100|[1-9]\d?)%)$/;

/** "1" is one CPE, "10%" a tenth of all CPEs of the template. */
export const isWaveSize = (text: string): boolean => size.test(text);

/**
 * CPEs of each wave, in order: those that the plan names, then one wave with all that are left. A share
 * is rounded up; a wave for which no CPE is left is none.
 */
export function waveCounts(sizes: readonly string[], cpes: number): number[] {
  let left = cpes;
  const counts = [...sizes, "100%"].map((size) => {
    const wanted = size.endsWith("%")
      ? Math.ceil((cpes * Number(size.slice(0, -1))) / 100)
      : Number(size);
    const taken = Math.min(wanted, left);
    left -= taken;
    return taken;
  });
  return counts.filter((count) => count > 0);
}

/** Sizes joined by commas: "1,10%". */
const waveSizes = z.codec(
  z.union([z.string(), z.number(), z.array(z.string())]),
  z
    .custom<string[]>(
      (value) => Array.isArray(value) && value.length > 0 && value.every(isWaveSize),
      failsWith("waves"),
    )
    .refine((value) => value.length <= maxWaves, failsWith("tooMany", { max: maxWaves })),
  {
    decode: (value) =>
      (Array.isArray(value) ? value : String(value).split(/[,，]/))
        .map((text) => text.trim())
        .filter((text) => text !== ""),
    encode: (value) => (Array.isArray(value) ? value.join(",") : value),
  },
);

export const defaultWaves = {
  waves: ["1", "10%"],
  soak: 120,
  grace: 60,
  contactGate: true,
  linkGate: true,
  findingGate: true,
  lossLimit: 5,
  askEach: false,
};

/** Of a call that starts a rollout; what it leaves out is as in `defaultWaves`. */
export const wavePlanFields = {
  waves: waveSizes.default(defaultWaves.waves),
  /** Seconds for which every CPE of a wave has to be fine before the next wave starts. */
  soak: codec.int(5, 86_400).default(defaultWaves.soak),
  /** Seconds for which contact, links or loss have to be worse before that is a failure. */
  grace: codec.int(5, 3_600).default(defaultWaves.grace),
  /** A CPE that was in contact is not any more. */
  contactGate: codec.flag.default(defaultWaves.contactGate),
  /** A CPE has fewer links up than before. */
  linkGate: codec.flag.default(defaultWaves.linkGate),
  /** An object does not act on a CPE, which the preview did not show. */
  findingGate: codec.flag.default(defaultWaves.findingGate),
  /** Percentage points by which the loss of a CPE's links may be higher than before; none: loss is no gate. */
  lossLimit: codec.orNull(codec.decimal(0.1, 100)).default(defaultWaves.lossLimit),
  /** An operator starts each wave but the first. */
  askEach: codec.flag.default(defaultWaves.askEach),
} as const;

export const wavePlan = z.object(wavePlanFields);
export type WavePlan = z.output<typeof wavePlan>;
