import { passwordFits } from "./password.ts";

/** Passwords that guides and examples use: none may guard what serves others. */
const wellKnown = ["admin", "password", "12345", "123456", "12345678", "weft", "changeme"] as const;

export const isWellKnownPassword = (password: string): boolean =>
  wellKnown.some((one) => one === password.toLowerCase());

/** Whether the password behind a hash is one of them; some 40 ms each. */
export async function isWellKnown(hash: string): Promise<boolean> {
  for (const one of wellKnown) if (await passwordFits(hash, one)) return true;
  return false;
}
