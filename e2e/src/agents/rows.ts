/** Rows of every kind that a reseller makes: what another one must never see. */
import { allResources, type ResourceName } from "@weft/contract/all-endpoints.ts";
import { cpeAreaAdd } from "@weft/contract/domains/devices/cpe-area.ts";
import { reservationSampleNetwork } from "@weft/contract/domains/devices/dhcp-reservation.ts";
import { lanSection } from "@weft/contract/domains/devices/lan-section.ts";
import { enterprise } from "@weft/contract/domains/enterprises/enterprise.ts";
import { enterpriseCharge } from "@weft/contract/domains/enterprises/ledger.ts";
import { type Caller, CallFailure } from "@weft/contract/kernel/client.ts";
import type { Endpoint } from "@weft/contract/kernel/endpoint.ts";
import type { AnyResource } from "@weft/contract/kernel/resource.ts";
import { samples } from "@weft/contract/samples/drafts.ts";
import { makingOrder, sampleIds } from "@weft/contract/samples/making-order.ts";
import { password } from "#e2e/people.ts";
import { noIds, type Seller } from "./seller.ts";

export interface Marks {
  /** In every name that people give. */
  readonly name: string;
  /** In what takes no Chinese: login names, serial numbers, keys. */
  readonly latin: string;
}
type Rows = Record<string, number>;
type Fields = Readonly<Record<string, unknown>>;

/** No customer's rows: POPs are the operator's, and no device here can take other firmware. */
const notMade: ReadonlySet<ResourceName> = new Set(["pop", "firmwareTask"]);

/** What the sample has and these customers may not have. */
const instead: Readonly<Partial<Record<ResourceName, Fields>>> = {
  xwanCircuit: { guaranteed: null },
  alarmStrategy: { popIds: [] },
  role: { authorities: ["cpeEdit"] },
  user: { phone: null, email: null, password, oldPsw: password },
  apiKey: { oldPsw: password },
  identityProvider: { oldPsw: password },
};

let made = 0;

/** The valid draft of one more row with the marks in it. */
function draftOf(name: ResourceName, { name: text, latin }: Marks, rows: Rows): Fields {
  made += 1;
  const mark = { name: `${text}-${made}`, latin: `${latin}-${made}`, number: made };
  const valid: Fields = samples[name].valid(sampleIds(rows));
  const remark = "remark" in valid ? { remark: text } : {};
  return { ...valid, ...remark, ...samples[name].distinct(mark), ...instead[name] };
}

const addOf = (name: ResourceName): Endpoint => (allResources[name] as AnyResource).ops.add;

/** Adds a row; what the seller may not make, an operator makes. */
async function add(seller: Caller, operator: Caller, name: ResourceName, draft: Fields) {
  const endpoint = addOf(name);
  const answer = await seller(endpoint, draft).catch((failure: unknown) => {
    if (!(failure instanceof CallFailure)) throw failure;
    return operator(endpoint, draft);
  });
  return (answer.data as { id: number }).id;
}

/** The LAN section that reservations of the samples are in. */
const addReservingLan = (call: Caller, nCpeID: number, remark: string) =>
  call(lanSection.ops.add, {
    ...samples.lansection.valid(noIds),
    nCpeID,
    interfaceName: "lan20",
    network: reservationSampleNetwork,
    network6: null,
    enableForward: false,
    remark,
  });

/** Gives the seller a customer with one row of each kind, with its marks in it. */
export async function addRowsOf(
  seller: Seller,
  operator: Caller,
  marks: Marks,
  popId: number,
): Promise<void> {
  const { name, latin } = marks;
  const { call, groupid: parentId } = seller;
  const owner = { ...samples.enterprise.valid(noIds), phone: null, email: null };
  const { data } = await call(enterprise.ops.add, { ...owner, name: `${name}药业`, parentId });
  const rows: Rows = { enterprise: data.id, pop: popId };
  for (const one of makingOrder) {
    if (notMade.has(one)) continue;
    if (one === "dhcpReservation") await addReservingLan(call, Number(rows.cpe), name);
    rows[one] = await add(call, operator, one, draftOf(one, marks, rows));
  }
  const groupid = data.id;
  await call(cpeAreaAdd, { groupid, name: `${name}片区`, pId: 0, sort: 0 });
  const requestKey = `rows-of-${latin}`;
  await call(enterpriseCharge, { groupid, credit: 12_300, requestKey, remark: name });
}
