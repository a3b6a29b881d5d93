import {
  type Column,
  copyColumn,
  nameColumn,
  stateColumn,
  textColumn,
  timeColumn,
} from "#kernel/list/columns.tsx";
import type { Glyph } from "#ui/glyph.tsx";
import type { ApiKeyRow, ApiKeyTexts } from "./api-key-texts.ts";

/** So long before its end a key is due soon. */
const dueSoonMs = 30 * 24 * 3_600_000;

const stateOf = ({ expireTime }: ApiKeyRow, t: ApiKeyTexts): { glyph: Glyph; label: string } => {
  const left = expireTime.getTime() - Date.now();
  if (left <= 0) return { glyph: "bad", label: t("apiKey.expired") };
  if (left < dueSoonMs) return { glyph: "warn", label: t("apiKey.dueSoon") };
  return { glyph: "ok", label: t("apiKey.valid") };
};

/** Columns of the list of keys. */
export const apiKeyColumns = (t: ApiKeyTexts): Column<ApiKeyRow>[] => [
  stateColumn("state", t("apiKey.state"), (row: ApiKeyRow) => stateOf(row, t), { width: 112 }),
  nameColumn("name", t.field("name"), (row: ApiKeyRow) => ({ text: row.name }), { sort: true }),
  copyColumn("prefix", t.field("prefix"), (row: ApiKeyRow) => row.prefix, { width: 160 }),
  textColumn("roleName", t.field("roleName"), (row: ApiKeyRow) => row.roleName, { width: 144 }),
  textColumn("enterpriseName", t.field("enterpriseName"), (row: ApiKeyRow) => row.enterpriseName, {
    width: 144,
  }),
  timeColumn("expireTime", t.field("expireTime"), (row: ApiKeyRow) => row.expireTime, {
    form: "stamp",
    sort: true,
    width: 176,
  }),
  timeColumn("lastUsed", t.field("lastUsed"), (row: ApiKeyRow) => row.lastUsed, {
    form: "since",
    missing: t("apiKey.neverUsed"),
  }),
  copyColumn("lastIp", t.field("lastIp"), (row: ApiKeyRow) => row.lastIp, {
    width: 144,
    optional: true,
  }),
  textColumn("createBy", t.field("createBy"), (row: ApiKeyRow) => row.createBy, { width: 144 }),
  timeColumn("createTime", t.field("createTime"), (row: ApiKeyRow) => row.createTime, {
    sort: true,
    optional: true,
  }),
];
