import * as codec from "#kernel/codec.ts";
import { failsWith, type RuleCode } from "#kernel/rule.ts";
import { type NationalIdFailure, nationalIdFailure, nationalIdFailures } from "./national-id.ts";

const alphabet = "0123456789ABCDEFGHJKLMNPQRTUWXY";
const weights = [1, 3, 9, 27, 19, 26, 16, 17, 20, 29, 25, 13, 8, 24, 10, 30, 28];

/** Unified social credit code: GB 32100-2015, 18 characters, the last one checks. */
export const isCompanyCode = (value: string): boolean => {
  const places = [...value].map((character) => alphabet.indexOf(character));
  if (places.length !== 18 || places.includes(-1)) return false;
  const sum = weights.reduce((total, weight, at) => total + weight * (places[at] ?? 0), 0);
  return (31 - (sum % 31)) % 31 === places[17];
};

export const companyCode = codec.text(18).refine(isCompanyCode, failsWith("companyCode"));

const ruleOf: Readonly<Record<NationalIdFailure, RuleCode>> = {
  format: "idFormat",
  birth: "idBirth",
  range: "idRange",
  region: "idRegion",
  last: "idLast",
};

/** Section 5: a national ID, with a message of its own for each way of being wrong. */
export const nationalId = nationalIdFailures.reduce<ReturnType<typeof codec.text>>(
  (schema, failure) =>
    schema.refine(
      (value) => nationalIdFailure(value, new Date()) !== failure,
      failsWith(ruleOf[failure]),
    ),
  codec.text(18),
);
