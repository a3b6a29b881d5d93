import { writeFileSync } from "node:fs";
import path from "node:path";
import { onTestFinished, test } from "vitest";
import { publish, TestGateway } from "../../test/gateway.ts";
import { claimFor, quiet, tempFolder, until } from "../../test/real-device.ts";
import { cpeState } from "../../test/states.ts";
import { serve } from "../../test/tls-server.ts";
import { runFleet } from "./fleet.ts";

test("a fleet ends when it is stopped while a member starts", async () => {
  const gateway = new TestGateway();
  gateway.desired = publish(cpeState(), { epoch: 1, serial: 1 });
  const server = await serve(gateway);
  onTestFinished(server.close);
  const { folder, remove } = tempFolder();
  onTestFinished(remove);
  const file = path.join(folder, "fleet.json");
  const member = { claim: claimFor(gateway, [server.address]), serialNumber: "SN-0001" };
  writeFileSync(file, JSON.stringify([member]));
  const fleet = (signal: AbortSignal) =>
    runFleet({ file, folder, version: "0.0.0", healsDrift: true, log: quiet, signal });

  const end = new AbortController();
  const first = fleet(end.signal);
  await until(() => gateway.confirmed.length === 1, "the member confirms");
  end.abort();
  await first;
  // Between its start and the first moment that it could learn of an end there is none.
  await fleet(AbortSignal.abort());
});
