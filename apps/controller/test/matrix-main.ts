// npm run matrix: the battery of tenancy, printed and written to build/tenant-matrix.txt.
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { testApi } from "./api.ts";
import { setup } from "./global-setup.ts";
import { matrixSite, matrixText, runMatrix } from "./matrix.ts";

const folder = join(import.meta.dirname, "../../../build");
const stop = await setup();
try {
  const api = await testApi(undefined, undefined, undefined, matrixSite);
  const cells = await runMatrix(api).finally(() => api.close());
  const text = matrixText(cells);
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, "tenant-matrix.txt"), text);
  console.log(text);
  if (cells.length === 0) throw new Error("nothing was asked");
  for (const { endpoint, field, leaks } of cells) {
    for (const leak of leaks) console.log(`LEAK ${endpoint} ${field}: ${leak}`);
    if (leaks.length > 0) process.exitCode = 1;
  }
} finally {
  await stop();
}
