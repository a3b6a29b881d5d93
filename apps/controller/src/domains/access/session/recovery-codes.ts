import { createHash, randomInt } from "node:crypto";

/** Characters that are not taken for each other on paper. */
const characters = "ABCDEFGHJKMNPQRSTUVWXYZ23456789";
const codeLength = 12;
/** Number of codes in a new set. */
const codeCount = 10;

/** A code as people write it down: 59 bits, ABCD-EFGH-JKMN. */
export const newRecoveryCode = (): string =>
  Array.from({ length: codeLength }, (_, at) => {
    const character = characters[randomInt(characters.length)] ?? "";
    return at > 0 && at % 4 === 0 ? `-${character}` : character;
  }).join("");

export const newRecoveryCodes = (): string[] => Array.from({ length: codeCount }, newRecoveryCode);

/** As it was typed, without what people add or change; null: this is no recovery code. */
export const plainRecoveryCode = (typed: string): string | null => {
  const plain = typed.toUpperCase().replace(/[\s-]/g, "");
  return plain.length === codeLength ? plain : null;
};

/** 59 random bits need no slow hash. */
export const hashRecoveryCode = (plain: string): Buffer =>
  createHash("sha256").update(plain).digest();
