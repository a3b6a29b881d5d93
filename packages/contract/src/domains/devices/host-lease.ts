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
        /** From when on the controller knows of it without a break; null: from before it kept that. */
        since: codec.instant.nullable(),
        /** Whom the maker of the card is registered as; null: not known, or the host chose the address itself. */
        vendor: z.string().nullable(),
        /** Its host chose the MAC address itself, as phones do for each network: another day it has another one. */
        isLocalMac: z.boolean(),
        /** Network of the LAN section that it is in; null: none has it any more. */
        network: z.string().nullable(),
        /** Whom the address is kept for: this host, another one, which gets it when this lease ends, or nobody. */
        reserved: z.enum(["own", "other"]).nullable(),
      }),
    ),
    /** More than are listed, where the device has very many. */
    total: z.number(),
  }),
  may: "configLan",
  addition: "The specification turns DHCP of a CPE on and shows nothing of what it gave.",
});
