import { availableParallelism } from "node:os";
import { hash, verify } from "@node-rs/argon2";
import { refuse } from "#kernel/refuse.ts";

/** OWASP's first recommendation for argon2id: 19 MiB, two passes; some 36 ms a hash. */
const cost = { memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const;

/** Half of the machine stays free for everything else while logins come in. */
export const hashesAtOnce = Math.max(1, Math.min(4, Math.floor(availableParallelism() / 2)));
const maxQueue = 64;

let running = 0;
const waiting: (() => void)[] = [];

/**
 * Runs hash work, a few at a time: a flood of logins queues up here and starves no other call.
 * @throws Refusal unavailable when the queue is full.
 */
async function queued<T>(work: () => Promise<T>): Promise<T> {
  if (waiting.length >= maxQueue) refuse("unavailable");
  if (running >= hashesAtOnce) await new Promise<void>((resolve) => waiting.push(resolve));
  else running++;
  try {
    return await work();
  } finally {
    // The slot is passed on, not released: no later caller gets in between.
    const next = waiting.shift();
    if (next) next();
    else running--;
  }
}

// The same password may be typed in composed or decomposed form.
const plain = (password: string): string => password.normalize("NFC");

/** argon2id in PHC text form, with a salt of its own. */
export const hashPassword = (password: string): Promise<string> =>
  queued(() => hash(plain(password), cost));

/** True: it was made at another cost than hashes are today. */
export const isOutdated = (stored: string): boolean =>
  !stored.startsWith(
    `$argon2id$v=19$m=${cost.memoryCost},t=${cost.timeCost},p=${cost.parallelism}$`,
  );

let noOne: Promise<string> | undefined;

/**
 * Whether the password fits. An unknown account (null) costs the same work, so that the time of
 * the answer does not show which accounts exist.
 */
export async function passwordFits(stored: string | null, password: string): Promise<boolean> {
  noOne ??= hashPassword("no account has this hash");
  const against = stored ?? (await noOne);
  const fits = await queued(() => verify(against, plain(password)));
  return fits && stored !== null;
}
