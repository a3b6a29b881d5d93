/** Hosts of the demonstration's sites: the addresses that they get by DHCP, and those that some of them always have. */
import { cpeCfgAdd, cpeItemNames } from "@weft/contract/domains/devices/cpe-config.ts";
import { dhcpReservation } from "@weft/contract/domains/devices/dhcp-reservation.ts";
import { lanSection } from "@weft/contract/domains/devices/lan-section.ts";
import type { Caller } from "@weft/contract/kernel/client.ts";
import type { InputOf } from "@weft/contract/kernel/endpoint.ts";
import { samples } from "@weft/contract/samples/drafts.ts";
import type { IdOf } from "./business.ts";

/** A LAN on a VLAN of the card that the site's first LAN is on; its network is named by the tag. */
interface VlanLan {
  readonly tag: number;
  readonly remark: string;
  /** Its hosts stay outside of the space; absent: they may enter it. */
  readonly isGuest?: true;
  /** Last octets of the first and the last address of its range. */
  readonly range: readonly [number, number];
}

interface Site {
  readonly name: string;
  readonly vlans?: readonly VlanLan[];
  /** Last octets of the first and the last address of its range; absent: the upper half of the LAN. */
  readonly range?: readonly [number, number];
  /** MAC address, last octet, name and purpose. */
  readonly kept: readonly (readonly [mac: string, host: number, name: string, remark: string])[];
}

const sites: readonly Site[] = [
  {
    name: "杭州总部",
    range: [100, 199],
    vlans: [
      { tag: 20, remark: "IP 话机", range: [50, 149] },
      { tag: 30, remark: "访客 Wi-Fi", isGuest: true, range: [20, 250] },
    ],
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
  {
    name: "三亚湾酒店",
    range: [60, 240],
    vlans: [{ tag: 100, remark: "客房 Wi-Fi", isGuest: true, range: [20, 250] }],
    kept: [],
  },
  {
    name: "北京总院",
    range: [120, 179],
    vlans: [{ tag: 40, remark: "影像设备", range: [20, 99] }],
    kept: [["80:5e:c0:14:6b:03", 40, "reception", "前台话机"]],
  },
];

// Fields that a row lacks here are those of the contract's samples.
const sampleIds = { groupid: 1, cpeId: 1, popId: 1 };

const nothingSet = Object.fromEntries(cpeItemNames.map((name) => [name, null]));

async function sectionOf(call: Caller, nCpeID: number) {
  const page = { page: 1, limit: 10, orderByColumn: null, isAsc: null };
  const { data } = await call(lanSection.ops.list, { nCpeID, ...page });
  const [section] = data;
  if (!section) throw new Error(`CPE ${nCpeID} has no LAN section`);
  return section;
}

/** LANs of a site on VLANs, beside the one that it has. */
async function addVlans(
  call: Caller,
  nCpeID: number,
  site: { readonly interfaceName: string; readonly octet: string },
  vlans: readonly VlanLan[],
): Promise<void> {
  for (const { tag, remark, isGuest = false, range } of vlans) {
    const network = `10.${site.octet}.${tag}`;
    await call(lanSection.ops.add, {
      ...samples.lansection.valid(sampleIds),
      nCpeID,
      interfaceName: site.interfaceName,
      network: `${network}.1/24`,
      network6: isGuest ? null : `fd00:${site.octet}:${tag}::1/64`,
      vlan: tag,
      enableForward: !isGuest,
      enableDirect: true,
      dhcpStart: `${network}.${range[0]}`,
      dhcpEnd: `${network}.${range[1]}`,
      remark,
    });
  }
}

export async function addHosts(call: Caller, idOf: IdOf): Promise<void> {
  for (const { name, range, vlans = [], kept } of sites) {
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
    const { interfaceName } = section;
    await addVlans(call, nCpeID, { interfaceName, octet: network.split(".")[1] ?? "" }, vlans);
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
