import type { Endpoint, OutputOf } from "@weft/contract/kernel/endpoint.ts";
import {
  type ExportEndpoint,
  type SheetFormat,
  sheetFormats,
} from "@weft/contract/kernel/sheet.ts";
import Button from "antd/es/button";
import Dropdown from "antd/es/dropdown/dropdown";
import { useState } from "react";
import { call } from "#client/call.ts";
import { useMay } from "#client/session.tsx";
import { useTexts } from "#client/texts.ts";
import { fetchByTicket } from "#client/ticket.ts";
import { useToast } from "./toast.tsx";

interface Props {
  /** The export call of the list (`exportOf`). */
  readonly endpoint: Endpoint;
  /** What the list was asked with, and how many rows match; null: not known yet. */
  readonly list: {
    readonly input: Readonly<Record<string, unknown>>;
    readonly count: number | null;
  };
}

const labels = { xlsx: "list.exportXlsx", csv: "list.exportCsv" } as const;

/** Saves what the list shows, on all pages, under its filters and in its order. */
export function ExportButton({ endpoint, list }: Props) {
  const t = useTexts();
  const toast = useToast();
  const isAllowed = useMay()(endpoint.may);
  const [isLoading, setLoading] = useState(false);
  if (!isAllowed) return null;
  const save = async (format: SheetFormat): Promise<void> => {
    setLoading(true);
    const { page: _page, limit: _limit, ...filters } = list.input;
    const { timeZone: zone } = new Intl.DateTimeFormat().resolvedOptions();
    try {
      const answer = await call(endpoint, { ...filters, format, zone });
      const { ticket, name, rows } = answer.data as OutputOf<ExportEndpoint>;
      fetchByTicket(ticket, name);
      toast.hint(t("list.exporting", { name, count: rows }));
    } catch (error) {
      toast.failed(error);
    } finally {
      setLoading(false);
    }
  };
  return (
    <Dropdown
      trigger={["click"]}
      disabled={list.count === 0}
      menu={{
        items: sheetFormats.map((format) => ({ key: format, label: t(labels[format]) })),
        onClick: ({ key }) => void save(key as SheetFormat),
      }}
    >
      <Button loading={isLoading}>{t("list.export")}</Button>
    </Dropdown>
  );
}
