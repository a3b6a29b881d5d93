/** Hosts of the demonstration's sites: the addresses that they get by DHCP, and those that some of them always have. */
import { cpeCfgAdd, cpeItemNames } from "@weft/contract/domains/devices/cpe-config.ts";
import { dhcpReservation } from "@weft/contract/domains/devices/dhcp-reservation.ts";
import { lanSection } from "@weft/contract/domains/devices/lan-section.ts";
import type { Caller } from "@weft/contract/kernel/client.ts";
import type { InputOf } from "@weft/contract/kernel/endpoint.ts";
import type { IdOf } from "./business.ts";

interface Site {
  readonly name: string;
  /** Last octets of the first and the last address of its range; absent: the upper half of the LAN. */
  readonly range?: readonly [number, number];
  /** MAC address, last octet, name and purpose. */
  readonly kept: readonly (readonly [mac: string, host: number, name: string, remark: string])[];
}

const sites: readonly Site[] = [
  {
    name: "杭州总部",
    range: [100, 199],
    kept: [
      ["3c:2a:f4:10:22:01", 20, "printer-3f", "三楼打印机"],
      ["00:11:32:7a:04:1c", 21, "nas", "文件服务器"],
    ],
  },
  {
    name: "杭州门店-01",
    range: [50, 69],
    kept: [["00:07:4d:5e:90:11", 10, "till-1", "收银台"]],
  },
  {
    name: "苏州工厂",
    kept: [["44:19:b6:31:08:c2", 30, "cam-gate", "大门摄像头"]],
  },
  { name: "三亚湾酒店", range: [60, 240], kept: [] },
  {
    name: "北京总院",
    range: [120, 179],
    kept: [["80:5e:c0:14:6b:03", 40, "reception", "前台话机"]],
  },
];

const nothingSet = Object.fromEntries(cpeItemNames.map((name) => [name, null]));

async function sectionOf(call: Caller, nCpeID: number) {
  const page = { page: 1, limit: 10, orderByColumn: null, isAsc: null };
  const { data } = await call(lanSection.ops.list, { nCpeID, ...page });
  const [section] = data;
  if (!section) throw new Error(`CPE ${nCpeID} has no LAN section`);
  return section;
}

export async function addHosts(call: Caller, idOf: IdOf): Promise<void> {
  for (const { name, range, kept } of sites) {
    const nCpeID = idOf(name);
    const config = { ...nothingSet, cpeId: nCpeID, nDynamicdhcp: true };
    await call(cpeCfgAdd, config as unknown as InputOf<typeof cpeCfgAdd>);
    const section = await sectionOf(call, nCpeID);
    const network = section.network.split(".").slice(0, 3).join(".");
    if (range) {
      const [first, last] = range.map((one) => `${network}.${one}`);
      await call(lanSection.ops.edit, {
        ...section,
        dhcpStart: first ?? null,
        dhcpEnd: last ?? null,
      });
    }
    for (const [mac, host, hostName, remark] of kept)
      await call(dhcpReservation.ops.add, {
        nCpeID,
        mac,
        address: `${network}.${host}`,
        hostName,
        remark,
      });
  }
}
