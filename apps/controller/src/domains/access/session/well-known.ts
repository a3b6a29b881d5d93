import { passwordFits } from "./password.ts";

/**
 * Passwords that guides and examples use: none may guard what serves others. Few, as each costs a
 * hash; where the password itself is at hand, rules/weak-password.ts decides.
 */
const wellKnown = ["admin", "password", "12345", "123456", "12345678", "weft", "changeme"] as const;

/** Whether the password behind a hash is one of them; some 40 ms each. */
export async function isWellKnown(hash: string): Promise<boolean> {
  for (const one of wellKnown) if (await passwordFits(hash, one)) return true;
  return false;
}
