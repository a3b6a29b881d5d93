import type { AnyResource } from "@weft/contract/kernel/resource.ts";
import type { SheetFormat } from "@weft/contract/kernel/sheet.ts";
import type { SheetRule } from "@weft/contract/kernel/sheet-rule.ts";
import type { Needed } from "@weft/contract/permissions.ts";
import Button from "antd/es/button";
import Dropdown from "antd/es/dropdown/dropdown";
import { useState } from "react";
import { Link } from "react-router";
import { useMay } from "#client/session.tsx";
import { useTexts } from "#client/texts.ts";
import { later, OpenedLater } from "#feedback/later.tsx";
import type { ListFilesProps } from "#feedback/list-files.ts";
import { useToast } from "#feedback/toast.tsx";
import { tightHead, useNarrow } from "#ui/use-narrow.ts";
import { listFileMessages } from "./list-file-messages.ts";
import { pasteResource } from "./paste-fields.ts";

const Dialog = later(async () => (await import("./import-dialog.tsx")).ImportDialog);

const PasteDialog = later(async () => (await import("./paste-dialog.tsx")).PasteDialog);

/** Fields of a list's input that say whose rows it has. */
const insideOf = (
  { owner, inside = {} }: AnyResource,
  input: ListFilesProps["list"]["input"],
): Record<string, unknown> =>
  Object.fromEntries(
    [...(owner === undefined ? [] : [owner as string]), ...Object.keys(inside)].flatMap((field) =>
      input[field] === undefined || input[field] === null ? [] : [[field, input[field]]],
    ),
  );

interface ListRequest {
  readonly resource?: AnyResource | undefined;
  readonly input: ListFilesProps["list"]["input"];
}

/** What the reader may do with files of a resource; null where its rows make no round trip. */
function allowedOf({ resource, input }: ListRequest, may: ReturnType<typeof useMay>) {
  const sheet = resource?.sheet as SheetRule | undefined;
  if (!resource || !sheet || "none" in sheet) return null;
  const { may: of, mayInstead, verbs } = resource;
  const isInstead = mayInstead && input[mayInstead.field];
  const needed = (verb: "list" | "add" | "edit"): Needed | null =>
    isInstead ? mayInstead.may : of[verb];
  const takes = verbs.includes("add") || verbs.includes("edit");
  const writes = sheet.may ? may(sheet.may.import) : may(needed("add")) && may(needed("edit"));
  return {
    resource,
    query: input,
    inside: insideOf(resource, input),
    canExport: may(sheet.may?.export ?? needed("list")),
    canImport: takes && writes,
  };
}
type Allowed = NonNullable<ReturnType<typeof allowedOf>>;

const canAny = (allowed: Allowed | null): allowed is Allowed =>
  allowed !== null && (allowed.canExport || allowed.canImport);

/** As a list asks with them. */
type Fields = Record<string, string | number | boolean | null>;

/** The calls behind the button; a list does not wait for them. */
const calls = () => import("./file-calls.ts");

/** Rows of a list as a file, an empty file to fill in, and their import. */
export function ListFiles({ list, parts = [], more = [] }: ListFilesProps) {
  const t = useTexts(listFileMessages);
  const toast = useToast();
  const may = useMay();
  const isTight = useNarrow(tightHead);
  const [isLoading, setLoading] = useState(false);
  const [opened, setOpened] = useState<Allowed | null>(null);
  const [isOpen, setOpen] = useState(false);
  const [isPasting, setPasting] = useState(false);
  const allowed = allowedOf(list, may);
  // Those of one enterprise, where the list has them only.
  const { groupid = null } = list.input;
  const within = parts
    .map((resource) => allowedOf({ resource, input: { groupid } }, may))
    .filter(canAny);
  const ways = more.filter((way) => may(way.may ?? null));
  if (!canAny(allowed) && ways.length === 0) return null;
  const lines = allowed && pasteResource(allowed.resource.name);
  const save = async (saved: Promise<{ readonly name: string; readonly rows: number }>) => {
    setLoading(true);
    try {
      const { name, rows } = await saved;
      if (rows > 0) toast.hint(t("list.exporting", { name, count: rows }));
    } catch (error) {
      toast.failed(error);
    } finally {
      setLoading(false);
    }
  };
  const exportAs = ({ resource, query: listQuery }: Allowed, format: SheetFormat) => {
    const { page: _page, limit: _limit, size: _size, ...query } = listQuery;
    void save(calls().then(({ saveRows }) => saveRows(resource.name, query as Fields, format)));
  };
  const template = ({ resource, inside }: Allowed) =>
    void save(calls().then(({ saveTemplate }) => saveTemplate(resource.name, inside as Fields)));
  const itemsOf = (allowed: Allowed) => {
    const key = (name: string): string => `${allowed.resource.name}.${name}`;
    const exports = (["xlsx", "csv"] as const).map((format) => ({
      key: key(format),
      label: t(`files.${format}`),
      disabled: list.count === 0,
      onClick: () => exportAs(allowed, format),
    }));
    const open = () => {
      setOpened(allowed);
      setOpen(true);
    };
    const takesLines = pasteResource(allowed.resource.name) !== null;
    const paste = { key: key("paste"), label: t("files.paste"), onClick: () => setPasting(true) };
    const imports = [
      { type: "divider" as const, key: key("divider") },
      ...(takesLines ? [paste] : []),
      { key: key("import"), label: t("files.import"), onClick: open },
      { key: key("template"), label: t("files.template"), onClick: () => template(allowed) },
    ];
    return [...(allowed.canExport ? exports : []), ...(allowed.canImport ? imports : [])];
  };
  const titleOf = ({ title: [zh, en] }: AnyResource): string => (t.language === "zh_cn" ? zh : en);
  const menus = within.map((allowed) => ({
    key: allowed.resource.name,
    label: t("files.within", {
      what: titleOf(allowed.resource),
      of: allowed ? titleOf(allowed.resource) : "",
    }),
    children: itemsOf(allowed),
  }));
  const divider = (key: string) => ({ type: "divider" as const, key });
  const wayItems = ways.map(({ key, label, to, run }) => ({
    key: `way.${key}`,
    label: to === undefined ? label : <Link to={to}>{label}</Link>,
    onClick: () => run?.(),
  }));
  const files = canAny(allowed) ? itemsOf(allowed) : [];
  const between = wayItems.length > 0 && files.length > 0 ? [divider("ways")] : [];
  const inside = menus.length > 0 ? [divider("within"), ...menus] : [];
  // Small screens have no room for the longer label beside the other buttons.
  const isMore = ways.length > 0 || isTight;
  const label = isMore ? "act.more" : allowed?.canImport ? "files.button" : "list.export";
  return (
    <>
      <Dropdown
        trigger={["click"]}
        menu={{ items: [...wayItems, ...between, ...files, ...inside] }}
      >
        <Button loading={isLoading}>{t(label)}</Button>
      </Dropdown>
      <OpenedLater open={isOpen} onClose={() => setOpen(false)}>
        {opened && (
          <Dialog
            key={opened.resource.name}
            open={isOpen}
            resource={opened.resource}
            inside={opened.inside}
            groupid={(groupid as number | null | undefined) ?? null}
            onTemplate={() => template(opened)}
            onClose={() => setOpen(false)}
          />
        )}
      </OpenedLater>
      <OpenedLater open={isPasting} onClose={() => setPasting(false)}>
        {allowed && lines !== null && (
          <PasteDialog
            open={isPasting}
            resource={allowed.resource}
            target={lines}
            inside={allowed.inside}
            groupid={(groupid as number | null | undefined) ?? null}
            onClose={() => setPasting(false)}
          />
        )}
      </OpenedLater>
    </>
  );
}
