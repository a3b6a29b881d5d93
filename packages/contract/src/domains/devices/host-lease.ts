import { z } from "zod";
import * as codec from "#kernel/codec.ts";
import { endpoint } from "#kernel/endpoint.ts";

/** Addresses that the device of a CPE gave hosts of its LANs and that hold now, as it last reported them. */
export const cpeLeases = endpoint({
  id: "cpe.leases",
  method: "GET",
  path: "/customer/cpe/leases",
  input: z.object({ id: codec.id }),
  output: z.object({
    items: z.array(
      z.object({
        address: z.string(),
        mac: z.string(),
        /** As the host calls itself; null: it gave none. */
        name: z.string().nullable(),
        until: codec.instant,
      }),
    ),
    /** More than are listed, where the device has very many. */
    total: z.number(),
  }),
  may: "configLan",
  addition: "The specification turns DHCP of a CPE on and shows nothing of what it gave.",
});
