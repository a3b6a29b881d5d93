/** Files of rows as a browser saves and sends them, for the batteries of both directions. */
import { read, utils, write } from "@e965/xlsx";
import {
  type sheetImport as importCall,
  sheetExport,
  sheetImport,
  sheetTemplate,
} from "@weft/contract/domains/access/sheet.ts";
import type { InputOf, OutputOf } from "@weft/contract/kernel/endpoint.ts";
import { downloadPath, type SheetFormat } from "@weft/contract/kernel/sheet.ts";
import { type Answer, adminPassword, type TestApi } from "./api.ts";

export type Imported = OutputOf<typeof importCall>;

export interface FileOf {
  readonly resource: string;
  /** Whose rows; wire fields. */
  readonly inside?: object;
  readonly token: string;
  readonly language?: "zh-CN" | "en";
  readonly zone?: string;
}

const languageOf = ({ language = "zh-CN" }: FileOf) => ({ "accept-language": language });
const zoneOf = ({ zone = "Asia/Shanghai" }: FileOf) => zone;

async function fetched(api: TestApi, answer: Answer): Promise<Buffer> {
  if (answer.code !== 0) throw new Error(`${answer.code} ${answer.msg} ${answer.bug ?? ""}`);
  const { ticket } = answer.data as { ticket: string };
  const file = await api.app.inject({ method: "GET", url: downloadPath, query: { ticket } });
  if (file.statusCode !== 200) throw new Error(file.body);
  return file.rawPayload;
}

export async function exportFile(
  api: TestApi,
  of: FileOf,
  format: SheetFormat = "xlsx",
): Promise<Buffer> {
  const { resource, inside = {}, token } = of;
  const input = { resource, query: JSON.stringify(inside), format, zone: zoneOf(of) };
  return fetched(api, await api.get(sheetExport.path, input, token, languageOf(of)));
}

export async function templateFile(api: TestApi, of: FileOf): Promise<Buffer> {
  const { resource, inside = {}, token } = of;
  const input = { resource, inside: JSON.stringify(inside), zone: zoneOf(of) };
  return fetched(api, await api.get(sheetTemplate.path, input, token, languageOf(of)));
}

const boundary = "----weft-sheet";

/** The answer to a file, as it is. */
export async function sendFile(
  api: TestApi,
  of: FileOf,
  file: Buffer | string,
  fields: Partial<Record<keyof InputOf<typeof sheetImport>, unknown>> = {},
): Promise<Answer> {
  const { resource, inside = {}, token } = of;
  const given = {
    resource,
    inside: JSON.stringify(inside),
    zone: zoneOf(of),
    oldPsw: adminPassword,
    ...fields,
  };
  const part = (head: string, body: Buffer | string) => [
    Buffer.from(`--${boundary}\r\nContent-Disposition: form-data; ${head}\r\n\r\n`),
    Buffer.from(body as string),
    Buffer.from("\r\n"),
  ];
  return api.send({
    method: "POST",
    url: sheetImport.path,
    query: { token },
    headers: { "content-type": `multipart/form-data; boundary=${boundary}`, ...languageOf(of) },
    payload: Buffer.concat([
      ...Object.entries(given).flatMap(([name, value]) => part(`name="${name}"`, String(value))),
      ...part('name="file"; filename="a"', file),
      Buffer.from(`--${boundary}--\r\n`),
    ]),
  });
}

/** What a file would do, or has done. */
export async function imported(...given: Parameters<typeof sendFile>): Promise<Imported> {
  const answer = await sendFile(...given);
  if (answer.code !== 0) throw new Error(`${answer.code} ${answer.msg} ${answer.bug ?? ""}`);
  return answer.data as Imported;
}

export type Table = (string | number | null)[][];

/** Cells of a file's first sheet. */
export const tableOf = (file: Buffer): Table => {
  const book = read(file);
  return utils.sheet_to_json(book.Sheets[book.SheetNames[0] ?? ""] ?? {}, {
    header: 1,
    defval: null,
  });
};

/** The table as a spreadsheet saves it. */
export const fileOf = (table: Table): Buffer =>
  write(utils.book_new(utils.aoa_to_sheet(table), "any"), { type: "buffer", bookType: "xlsx" });
