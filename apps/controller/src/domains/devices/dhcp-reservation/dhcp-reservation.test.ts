/** Reserved addresses: what is refused, also of writes of one moment, and what becomes of them on the device. */
import {
  dhcpReservation,
  reservationSampleNetwork,
} from "@weft/contract/domains/devices/dhcp-reservation.ts";
import { lanSection } from "@weft/contract/domains/devices/lan-section.ts";
import { addressOf } from "@weft/contract/rules/address.ts";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type TestApi, testApi } from "../../../../test/api.ts";
import { makeTenant, newIdOf, type Tenant, wireDraft } from "../../../../test/tenants.ts";

let api: TestApi;
let home: Tenant;
beforeAll(async () => {
  api = await testApi();
  home = await makeTenant(api, await api.logIn("admin"), "home");
}, 120_000);
afterAll(() => api.close());

const { add, edit, list, remove } = dhcpReservation.ops;
const draftOf = (fields: object) => wireDraft("dhcpReservation", "valid", home.ids, fields);
const post = (fields: object) =>
  api.post(add.path, draftOf({ hostName: "", ...fields }), home.token);
const refusal = (path: string, rule: string) => ({
  code: 400,
  issues: [expect.objectContaining({ path, rule })],
});
const clear = async (...ids: number[]) =>
  expect(await api.post(remove.path, { ids: ids.join() }, home.token)).toMatchObject({ code: 0 });
let host = 0;
/** Another card with each call. */
const card = () => {
  host += 1;
  return `02:00:00:00:01:${host.toString(16).padStart(2, "0")}`;
};

describe("a reservation is refused", () => {
  test.each([
    ["10.210.0.9", "outsideLans"],
    ["192.0.2.9", "outsideLans"],
    [addressOf(reservationSampleNetwork), "addressOfLan"],
    ["10.209.0.0", "addressOfLan"],
    ["10.209.255.255", "addressOfLan"],
  ])("of %s, with the rule %s", async (address, rule) => {
    expect(await post({ mac: card(), address })).toMatchObject(refusal("address", rule));
  });

  test("of a card, an address or a name that has one, however it is written", async () => {
    const mac = "02:00:00:00:02:AB";
    const id = newIdOf(await post({ mac, address: "10.209.2.1", hostName: "Till" }));
    const { data } = await api.get(list.path, { nCpeID: home.ids.cpeId }, home.token);
    expect(data).toMatchObject([{ mac: "02:00:00:00:02:ab", address: "10.209.2.1" }]);
    for (const same of ["02-00-00-00-02-ab", "0200.0000.02ab", "0200000002AB"])
      expect(await post({ mac: same, address: "10.209.2.2" })).toMatchObject(
        refusal("mac", "taken"),
      );
    expect(await post({ mac: card(), address: "10.209.2.1" })).toMatchObject(
      refusal("address", "taken"),
    );
    expect(await post({ mac: card(), address: "10.209.2.3", hostName: "TILL" })).toMatchObject(
      refusal("hostName", "taken"),
    );
    await clear(id);
  });

  test("where its edit leads out of the LAN", async () => {
    const mac = card();
    const id = newIdOf(await post({ mac, address: "10.209.3.1" }));
    const moved = draftOf({ id, mac, address: "10.77.1.9", hostName: "" });
    expect(await api.post(edit.path, moved, home.token)).toMatchObject(
      refusal("address", "outsideLans"),
    );
    await clear(id);
  });

  test("where another one of the same moment has the address or the card", async () => {
    const both = await Promise.all(
      [card(), card()].map((mac) => post({ mac, address: "10.209.4.1" })),
    );
    expect(both.map(({ code }) => code).toSorted()).toEqual([0, 400]);
    const mac = card();
    const two = await Promise.all(
      ["10.209.4.2", "10.209.4.3"].map((address) => post({ mac, address })),
    );
    expect(two.map(({ code }) => code).toSorted()).toEqual([0, 400]);
    const made = [...both, ...two].flatMap((one) => (one.code === 0 ? newIdOf(one) : []));
    await clear(...made);
  });
});

describe("a LAN section that is saved without room for reservations", () => {
  const section = (fields: object) =>
    wireDraft("lansection", "valid", home.ids, {
      interfaceName: "lan8",
      network: "10.88.1.1/24",
      network6: "",
      enableForward: 0,
      ...fields,
    });
  const save = (fields: object) => api.post(lanSection.ops.edit.path, section(fields), home.token);
  const lost = (path: string, address: string, host: string, count: number) => ({
    code: 0,
    warnings: [
      expect.objectContaining({
        path,
        warning: "reservationsLost",
        params: { address, host, count },
        text: expect.stringContaining(address),
      }),
    ],
  });

  test("names it when it is edited and when it is removed", async () => {
    const { add: addSection, remove: removeSection } = lanSection.ops;
    const id = newIdOf(await api.post(addSection.path, section({}), home.token));
    const [mac, other] = [card(), card()];
    const one = newIdOf(await post({ mac, address: "10.88.1.20" }));
    const two = newIdOf(await post({ mac: other, address: "10.88.1.200", hostName: "cam" }));
    expect(await save({ id, remark: "hall" })).not.toHaveProperty("warnings");
    expect(await save({ id, network: "10.88.1.2/24" })).not.toHaveProperty("warnings");
    expect(await save({ id, network: "10.88.1.20/24" })).toMatchObject(
      lost("network", "10.88.1.20", mac, 1),
    );
    expect(await save({ id, network: "10.88.1.1/25" })).toMatchObject(
      lost("network", "10.88.1.200", "cam", 1),
    );
    expect(await save({ id, network: "10.88.1.1/24" })).not.toHaveProperty("warnings");
    expect(await save({ id, network: "10.88.2.1/24" })).toMatchObject(
      lost("network", "10.88.1.20", mac, 2),
    );
    expect(await save({ id, network: "10.88.1.1/24" })).not.toHaveProperty("warnings");
    expect(await api.post(removeSection.path, { ids: String(id) }, home.token)).toMatchObject(
      lost("ids", "10.88.1.20", mac, 2),
    );
    await clear(one, two);
  });
});
