/** Calls that save rows of a list, or an empty file, on the reader's machine. Loaded when one is wanted. */
import { sheetExport, sheetTemplate } from "@weft/contract/domains/access/sheet.ts";
import type { SheetFormat } from "@weft/contract/kernel/sheet.ts";
import { call } from "#client/call.ts";
import { fetchByTicket } from "#client/ticket.ts";

type Fields = Record<string, string | number | boolean | null>;

interface Saved {
  /** Of the file. */
  readonly name: string;
  readonly rows: number;
}

const zone = (): string => new Intl.DateTimeFormat().resolvedOptions().timeZone;

/** Saves what a list shows, all pages of it. @throws CallError */
export async function saveRows(
  resource: string,
  query: Fields,
  format: SheetFormat,
): Promise<Saved> {
  const { data } = await call(sheetExport, { resource, zone: zone(), query, format });
  fetchByTicket(data.ticket, data.name);
  return data;
}

/** Saves a file with the columns of a resource. @param inside fields that say whose rows it is for @throws CallError */
export async function saveTemplate(resource: string, inside: Fields): Promise<Saved> {
  const { data } = await call(sheetTemplate, { resource, zone: zone(), inside });
  fetchByTicket(data.ticket, data.name);
  return data;
}
