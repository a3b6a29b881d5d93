/** A demonstration that was started once, kept, and is copied for every later start. */
import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { canonicalJson } from "@weft/contract/device/v1/canonical.ts";
import { decodeClaim, encodeClaim } from "@weft/contract/device/v1/claim.ts";
import { mustCommand } from "@weft/lab/command.ts";

/** Names the folder of the prepared demonstration to processes that may copy it (tools/src/test-stages.ts). */
export const preparedFolder = (): string | undefined => process.env.WEFT_TEST_DEMONSTRATION;

interface Kept {
  addresses?: readonly string[];
  claim?: string;
}

/** Changes the value of a record of a device; a record has the digest of its value beside it. */
function rewrite(file: string, change: (value: Kept) => Kept): void {
  if (!existsSync(file)) return;
  const value = change((JSON.parse(readFileSync(file, "utf8")) as { value: Kept }).value);
  const sha256 = createHash("sha256").update(canonicalJson(value)).digest("hex");
  writeFileSync(file, JSON.stringify({ sha256, value }));
}

/**
 * Copies the prepared demonstration, and has its devices call the controller at another address:
 * they keep the one that they were enrolled at.
 */
export async function copyPrepared(from: string, to: string, address: string): Promise<void> {
  // Blocks are shared where the file system can: databases are large, and change little.
  await mustCommand("root", ["cp", "-a", "--reflink=auto", `${from}/.`, to]);
  const devices = join(to, "demonstration/edges");
  for (const device of readdirSync(devices)) {
    const addresses = [address];
    rewrite(join(devices, device, "enrolment.json"), (value) => ({ ...value, addresses }));
    rewrite(join(devices, device, "claim.json"), (value) => {
      const claim = decodeClaim(value.claim ?? "");
      return claim ? { ...value, claim: encodeClaim({ ...claim, addresses }) } : value;
    });
  }
}
