// npm run sim: deliver, apply, confirm, revert and reconnect under thousands of orders of events.
import { readOptions } from "./options.ts";
import { runMany } from "./run-many.ts";
import { runSeed, type SeedResult } from "./run-seed.ts";

const everySeeds = 500;

const printResult = ({ seed, violation, tail }: SeedResult): void => {
  console.log(`\nseed ${seed} FAILED: ${violation}\n`);
  for (const line of tail) console.log(line);
  console.log(`\nReplay: npm run sim -- --seed ${seed}`);
};

async function runOne(seed: number): Promise<boolean> {
  const { violation, digest, minutes } = await runSeed(seed, { print: true });
  console.log(`\nseed ${seed}: ${minutes.toFixed(1)} minutes, trace ${digest.slice(0, 16)}`);
  console.log(violation === null ? "all invariants held" : `FAILED: ${violation}`);
  return violation === null;
}

async function runAll(from: number, seeds: number, threads: number): Promise<boolean> {
  const began = performance.now();
  let done = 0;
  let minutes = 0;
  let failed: SeedResult | null = null;
  const rate = (): string => {
    const seconds = (performance.now() - began) / 1_000;
    return `${done} seeds, ${(done / seconds).toFixed(0)} a second, ${seconds.toFixed(0)} s`;
  };
  await runMany({ from, seeds, threads }, (result) => {
    done += 1;
    minutes += result.minutes;
    if (done % everySeeds === 0 && done < seeds) console.log(rate());
    if (result.violation !== null) failed ??= result;
    return result.violation === null;
  });
  if (failed) printResult(failed);
  console.log(`${rate()}; ${(minutes / 1_440).toFixed(1)} days passed in them`);
  if (!failed && done < seeds) console.log(`FAILED: ${seeds - done} seeds did not run`);
  else console.log(failed ? "FAILED" : "all invariants held");
  return failed === null && done === seeds;
}

try {
  const { only, from, seeds, threads } = readOptions(process.argv.slice(2));
  const isGood = only === null ? await runAll(from, seeds, threads) : await runOne(only);
  if (!isGood) process.exitCode = 1;
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 2;
}
