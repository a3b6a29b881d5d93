import "./assert-node.ts";
import fs from "node:fs";
import { type CaseList, evaluateCase } from "@weft/contract/rules/cases.ts";

// npm run cases -- FILE: runs any file of the shape of spec/validators.json against the rules.
const file = process.argv[2];
if (!file) {
  console.error("usage: npm run cases -- FILE");
  process.exit(2);
}
const lists: CaseList[] = JSON.parse(fs.readFileSync(file, "utf8")).validators;
let count = 0;
const differences: string[] = [];
for (const list of lists) {
  for (const group of ["valid", "invalid"] as const) {
    for (const one of list[group]) {
      count += 1;
      const difference = evaluateCase(list, one, group);
      if (difference !== null) differences.push(difference);
    }
  }
}
for (const difference of differences) console.log(difference);
console.log(`${count} cases, ${differences.length} differ`);
process.exit(differences.length === 0 ? 0 : 1);
