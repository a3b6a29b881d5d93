import type { AnyResource } from "@weft/contract/kernel/resource.ts";
import type { SheetFormat } from "@weft/contract/kernel/sheet.ts";
import type { SheetRule } from "@weft/contract/kernel/sheet-rule.ts";
import type { Permission } from "@weft/contract/permissions.ts";
import Button from "antd/es/button";
import Dropdown from "antd/es/dropdown";
import { lazy, useState } from "react";
import { useMay } from "#client/session.tsx";
import { useTexts } from "#client/texts.ts";
import type { ListFilesProps } from "#feedback/list-files.ts";
import { useToast } from "#feedback/toast.tsx";
import { OpenedLater } from "#ui/opened-later.tsx";
import { listFileMessages } from "./list-file-messages.ts";

const Dialog = lazy(() =>
  import("./import-dialog.tsx").then((one) => ({ default: one.ImportDialog })),
);

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

/** What the reader may do with files of a list; nothing where its rows make no round trip. */
function useAllowed({ resource, input }: ListFilesProps["list"]) {
  const may = useMay();
  const sheet = resource?.sheet as SheetRule | undefined;
  if (!resource || !sheet || "none" in sheet) return null;
  const { may: of, mayInstead, verbs } = resource;
  const isInstead = mayInstead && input[mayInstead.field];
  const needed = (verb: "list" | "add" | "edit"): Permission | null =>
    isInstead ? mayInstead.may : of[verb];
  const takes = verbs.includes("add") || verbs.includes("edit");
  const writes = sheet.may ? may(sheet.may.import) : may(needed("add")) && may(needed("edit"));
  return {
    resource,
    inside: insideOf(resource, input),
    canExport: may(sheet.may?.export ?? needed("list")),
    canImport: takes && writes,
  };
}

/** As a list asks with them. */
type Fields = Record<string, string | number | boolean | null>;

/** The calls behind the button; a list does not wait for them. */
const calls = () => import("./file-calls.ts");

/** Rows of a list as a file, an empty file to fill in, and their import. */
export function ListFiles({ list }: ListFilesProps) {
  const t = useTexts(listFileMessages);
  const toast = useToast();
  const allowed = useAllowed(list);
  const [isAsking, setAsking] = useState(false);
  const [isOpen, setOpen] = useState(false);
  if (!allowed || !(allowed.canExport || allowed.canImport)) return null;
  const { resource, inside, canExport, canImport } = allowed;
  const save = async (saved: Promise<{ readonly name: string; readonly rows: number }>) => {
    setAsking(true);
    try {
      const { name, rows } = await saved;
      if (rows > 0) toast.hint(t("list.exporting", { name, count: rows }));
    } catch (error) {
      toast.failed(error);
    } finally {
      setAsking(false);
    }
  };
  const exportAs = (format: SheetFormat) => {
    const { page: _page, limit: _limit, size: _size, ...query } = list.input;
    void save(calls().then(({ saveRows }) => saveRows(resource.name, query as Fields, format)));
  };
  const template = () =>
    void save(calls().then(({ saveTemplate }) => saveTemplate(resource.name, inside as Fields)));
  const exports = canExport
    ? [
        { key: "xlsx", label: t("files.xlsx"), onClick: () => exportAs("xlsx") },
        { key: "csv", label: t("files.csv"), onClick: () => exportAs("csv") },
      ].map((item) => ({ ...item, disabled: list.count === 0 }))
    : [];
  const imports = canImport
    ? [
        { type: "divider" as const, key: "divider" },
        { key: "import", label: t("files.import"), onClick: () => setOpen(true) },
        { key: "template", label: t("files.template"), onClick: template },
      ]
    : [];
  return (
    <>
      <Dropdown trigger={["click"]} menu={{ items: [...exports, ...imports] }}>
        <Button loading={isAsking}>{t(canImport ? "files.button" : "list.export")}</Button>
      </Dropdown>
      <OpenedLater open={isOpen}>
        <Dialog
          open={isOpen}
          resource={resource}
          inside={inside}
          groupid={(list.input.groupid as number | null | undefined) ?? null}
          onTemplate={template}
          onClose={() => setOpen(false)}
        />
      </OpenedLater>
    </>
  );
}
