/** Why a packet is dropped: its way through a site's device, by the configuration that the device runs. */

import { z } from "zod";
import { nodeScreens } from "#contract/access.ts";
import {
  packetOrigins,
  packetProtocols,
  traceReasons,
  traceStages,
} from "#contract/device/v1/trace/packet.ts";
import { policyFindingLevels } from "#domains/policies/policy-finding.ts";
import * as codec from "#kernel/codec.ts";
import { endpoint } from "#kernel/endpoint.ts";
import { failsWith } from "#kernel/rule.ts";
import { ipAddress, parseAddress } from "#rules/address.ts";
import { ranges } from "#rules/number.ts";
import * as text from "#rules/text.ts";

const port = codec.orNull(codec.int(...ranges.port, "port"));
const mac = codec.text(17, 1).refine(text.isMac, failsWith("mac"));

export const packetTrace = endpoint({
  id: "nodeState.trace",
  addition: "a packet's way through the rules of a CPE; the specification has no call for it",
  method: "GET",
  path: "/customer/nodeState/trace",
  input: z
    .object({
      id: codec.id,
      from: z.enum(packetOrigins),
      /** Of the LAN or WAN link that it comes by; null where it comes out of a tunnel. */
      interfaceName: codec.orNull(codec.text(15)),
      source: ipAddress,
      destination: ipAddress,
      protocol: z.enum(packetProtocols),
      sourcePort: port,
      targetPort: port,
      /** Hardware address of a sender in the LAN. */
      mac: codec.orNull(mac),
    })
    .refine(
      ({ source, destination }) =>
        parseAddress(source)?.family === parseAddress(destination)?.family,
      failsWith("sameFamily", {}, ["destination"]),
    )
    .refine(
      ({ protocol, targetPort }) => protocol === "icmp" || targetPort !== null,
      failsWith("required", {}, ["targetPort"]),
    )
    .refine(
      ({ from, interfaceName }) => from === "space" || interfaceName !== null,
      failsWith("required", {}, ["interfaceName"]),
    ),
  output: z.object({
    /** Of the configuration that the device runs. */
    serial: z.number(),
    outcome: z.enum(["forwarded", "delivered", "dropped"]),
    steps: z.array(
      z.object({
        stage: z.enum(traceStages),
        verdict: z.enum(["pass", "change", "drop"]),
        reason: z.enum(traceReasons),
        params: z.record(z.string(), z.union([z.string(), z.number()])),
        /** The object whose rule decided; null: none did. */
        object: z
          .object({
            family: z.string(),
            id: z.number(),
            /** Empty: it was removed since. */
            name: z.string(),
            level: z.enum(policyFindingLevels),
          })
          .nullable(),
      }),
    ),
  }),
  may: nodeScreens,
});
