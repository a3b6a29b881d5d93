import { dnsEntry, dnsEntryImport } from "@weft/contract/domains/devices/dns-entry.ts";
import type { FastifyInstance } from "fastify";
import { mount } from "#kernel/mount.ts";
import { mountResource } from "#kernel/mount-resource.ts";
import { refuseFields } from "#kernel/refuse.ts";
import { readDnsFile } from "./rules.ts";
import { addEntries, dnsEntryStore } from "./store.ts";

/** DNS entries of CPEs. */
export function dnsEntryRoutes(app: FastifyInstance): void {
  mountResource(app, dnsEntry, dnsEntryStore);
  mount(app, dnsEntryImport, async ({ nCpeID, file }, ctx) => {
    const { entries, issues } = readDnsFile(file.bytes);
    if (issues.length > 0) refuseFields(issues);
    const { enterpriseId, added } = await addEntries(ctx, nCpeID, entries);
    await ctx.audit({
      resource: dnsEntry.name,
      rowId: nCpeID,
      old: null,
      new: { nCpeID, file: file.name, lines: entries.length, added },
      enterpriseId,
    });
    await ctx.change({ enterpriseId, nodeIds: [nCpeID] });
    return { added, known: entries.length - added };
  });
}
