import { recordKinds } from "@weft/contract/domains/access/enums.ts";
import {
  operaRecordExport,
  operaRecordList,
  operaRecordModules,
  operaRecordUndo,
  operaRecordVerify,
} from "@weft/contract/domains/access/record.ts";
import { cpe } from "@weft/contract/domains/devices/cpe.ts";
import { pop } from "@weft/contract/domains/devices/pop.ts";
import type { InputOf, OutputOf } from "@weft/contract/kernel/endpoint.ts";
import { formatMessage, type Language } from "@weft/contract/kernel/message.ts";
import Button from "antd/es/button";
import Tooltip from "antd/es/tooltip";
import { useEffect, useState } from "react";
import { type CallError, call } from "#client/call.ts";
import { useOpened } from "#client/opened.ts";
import { codeOptions } from "#client/texts.ts";
import { useCall } from "#client/use-call.ts";
import { EnterpriseFilter } from "#domains/enterprises/parts/enterprise/enterprise-control.tsx";
import {
  enterpriseColumn,
  filtersBeside,
  fixedTo,
  type OfEnterprise,
} from "#domains/enterprises/parts/enterprise/of-enterprise.tsx";
import { Loading } from "#feedback/empty-state.tsx";
import { useAction } from "#feedback/use-action.ts";
import { type Column, copyColumn, timeColumn } from "#kernel/list/columns.tsx";
import type { FilterOption, FilterSpec } from "#kernel/list/filter-bar.tsx";
import { ListPage } from "#kernel/list/list-page.tsx";
import { type List, useList } from "#kernel/list/use-list.ts";
import { RangeBar } from "#parts/range/range-bar.tsx";
import { useRange } from "#parts/range/use-range.ts";
import { ChoiceFilter } from "#ui/choice-filter.tsx";
import type { FilterProps } from "#ui/filter-props.ts";
import { StateText } from "#ui/glyph.tsx";
import { Missing } from "#ui/missing.tsx";
import { Modal } from "#ui/overlay/modal.tsx";
import { textWidth } from "#ui/text-width.ts";
import { TimeText } from "#ui/time-text.tsx";
import { useNarrow } from "#ui/use-narrow.ts";
import { ChangeTable } from "./change-table.tsx";
import styles from "./operation-details.module.css";
import { OperationDetails } from "./operation-details.tsx";
import { PlaceLink } from "./place-link.tsx";
import { type Operation, type RecordTexts, textOf, useRecordTexts } from "./record-texts.ts";

type Inverse = OutputOf<typeof operaRecordUndo>;

/** What the undo would change, asked once when the dialog opens; a refusal says why it cannot be. */
function useInverse(id: number) {
  const [inverse, setInverse] = useState<Inverse | null>(null);
  const [error, setError] = useState<CallError | null>(null);
  useEffect(() => {
    const ended = new AbortController();
    call(operaRecordUndo, { id, check: true }, { signal: ended.signal })
      .then(({ data }) => setInverse(data))
      .catch((failure: CallError) => {
        if (!ended.signal.aborted) setError(failure);
      });
    return () => ended.abort();
  }, [id]);
  return { inverse, error };
}

const bodies = {
  edit: "record.undoEdit",
  remove: "record.undoAdd",
  add: "record.undoRemove",
} as const;

interface UndoDialogProps {
  readonly operation: Operation;
  readonly onClose: () => void;
}

/** Undoes one operation after showing what that changes. */
function UndoDialog({ operation, onClose }: UndoDialogProps) {
  const t = useRecordTexts();
  const { inverse, error } = useInverse(operation.id);
  // Whatever the row is of shows it again: what is on screen is asked again.
  const undo = useAction(operaRecordUndo, {
    touches: [operation.module.split(".")[0] ?? "", "nodeState", "cpe", "pop"],
    done: t("record.undone"),
  });
  const run = async (): Promise<void> => {
    await undo.act({ id: operation.id, check: false });
    onClose();
  };
  return (
    <Modal
      open
      width={720}
      title={t("record.undoTitle")}
      onCancel={onClose}
      destroyOnHidden
      footer={
        <>
          <Button onClick={onClose}>{t(error ? "act.close" : "act.cancel")}</Button>
          {!error && (
            <Button
              type="primary"
              danger={inverse?.verb === "remove"}
              disabled={inverse === null}
              loading={undo.isActing}
              onClick={() => void run()}
            >
              {t("record.undo")}
            </Button>
          )}
        </>
      }
    >
      <p className={styles.undone}>
        <strong>{textOf(operation.story, t)}</strong>
        <span className="w-quiet">
          <TimeText value={operation.createTime} />
        </span>
      </p>
      {error ? (
        <StateText glyph="bad" label={t("record.undoRefused", { reason: error.message })} />
      ) : inverse ? (
        <>
          <p className="w-quiet">{t(bodies[inverse.verb])}</p>
          <ChangeTable
            changes={inverse.changes}
            heads={{ old: t("record.now"), new: t("record.afterUndo") }}
          />
        </>
      ) : (
        <Loading rows={3} />
      )}
    </Modal>
  );
}

/** What the operation log can be narrowed to, as the controller names it. */
function useModules(language: Language): readonly FilterOption[] {
  const { data = [] } = useCall(operaRecordModules, {});
  return data.map(({ module, title }) => ({
    value: module,
    label: formatMessage(title, language),
  }));
}

type Query = Omit<InputOf<typeof operaRecordList>, "page" | "limit">;
type Log = Pick<List<Operation, Query>, "rows" | "filters">;

/** Filters of the operation log. Row and template come by an address: they are there to be cleared. */
function useOperationFilters({ rows, filters }: Log): FilterSpec[] {
  const t = useRecordTexts();
  const modules = useModules(t.language);
  const [first] = rows;
  const given = (key: "rowId" | "templateId", label: string, name: string): FilterSpec[] => {
    const value = filters[key];
    if (value === null) return [];
    return [{ key, kind: "select", label, options: [{ value, label: name || `#${value}` }] }];
  };
  return [
    { key: "loginName", kind: "text", label: t("record.who") },
    {
      key: "kind",
      kind: "select",
      label: t("record.kind"),
      options: codeOptions(t, "recordKind", recordKinds),
    },
    { key: "module", kind: "select", label: t.field("module"), options: modules },
    { key: "nodeId", kind: NodeFilter, label: t("record.node") },
    { key: "groupid", kind: EnterpriseFilter, label: t.field("enterpriseName") },
    ...given("rowId", t("record.object"), first ? textOf(first.object, t) : ""),
    ...given("templateId", t("record.template"), first?.templateName ?? ""),
  ];
}

/** One CPE or POP; they are asked for when there is something to choose or to name. */
function NodeFilter(props: FilterProps) {
  const { value } = props;
  const [isOpened, setOpened] = useState(value !== null);
  const input = isOpened || value !== null ? {} : null;
  const pops = useCall(pop.ops.combo, input);
  const cpes = useCall(cpe.ops.combo, input);
  const nodes = [...(pops.data ?? []), ...(cpes.data ?? [])];
  return (
    <ChoiceFilter
      {...props}
      width={200}
      isSearched
      isLoading={isOpened && nodes.length === 0 && cpes.isFirstLoad}
      options={nodes.map(({ id, name }) => ({ value: id, label: name }))}
      onOpen={() => setOpened(true)}
    />
  );
}

/** A seal comes within a second; looked for again while rows of the page wait for theirs. */
const pollMs = 2_000;

/** Whether the rows of this page are what was sealed, in one line; the reason on hover. */
function SealState({ rows }: { readonly rows: readonly Operation[] }) {
  const t = useRecordTexts();
  const ids = rows.map((row) => row.id).slice(0, 100);
  const input = ids.length === 0 ? null : { ids };
  const first = useCall(operaRecordVerify, input);
  const waits = first.data?.some(({ state }) => state === "waiting") ?? false;
  const { data } = useCall(operaRecordVerify, waits ? input : null, { every: pollMs });
  const verified = data ?? first.data;
  if (input === null || !verified) return null;
  const broken = verified.filter(({ state }) => state === "broken").map(({ id }) => id);
  const waiting = verified.filter(({ state }) => state === "waiting").length;
  const [glyph, label] =
    broken.length > 0
      ? (["bad", t("record.sealBroken", { ids: broken.join(", ") })] as const)
      : waiting > 0
        ? (["run", t("record.sealWaiting", { count: waiting })] as const)
        : (["ok", t("record.sealed", { count: verified.length })] as const);
  return (
    <Tooltip title={t("record.sealHelp")}>
      <span>
        <StateText glyph={glyph} label={label} />
      </span>
    </Tooltip>
  );
}

const columnsOf = (t: RecordTexts, isNarrow: boolean): Column<Operation>[] => [
  timeColumn("createTime", t("record.time"), (row: Operation) => row.createTime, {
    form: "stamp",
    width: 176,
  }),
  {
    key: "story",
    title: t("record.story"),
    width: 560,
    // Cut there, with all of it on hover and among the details.
    narrowest: 320,
    need: ({ story }) => textWidth(textOf(story, t)),
    part: "name",
    // A card has room for the whole sentence, and no pointer that would show the rest of it.
    cell: (row) => (
      <span className={isNarrow ? "" : "w-cut"} title={textOf(row.story, t)}>
        {textOf(row.story, t)}
        {row.undo === "done" && (
          <span className="w-quiet"> · {t("record.undoneBy", { name: row.undoneBy })}</span>
        )}
      </span>
    ),
  },
  {
    key: "place",
    title: t("record.place"),
    width: 160,
    cell: (row) => <PlaceLink operation={row} otherwise={<Missing />} />,
  },
  enterpriseColumn<Operation>(t.field("enterpriseName"), { width: 144 }),
  copyColumn("ip", t("record.from"), (row: Operation) => row.ip, { width: 144, optional: true }),
];

/** Filters for what the device of all rows decides. */
const decided = new Set(["groupid", "nodeId", "templateId"]);
const isOfNode = ({ key }: FilterSpec): boolean => !decided.has(key);

const changesOf = ({ changes }: Operation) => <ChangeTable changes={changes} />;

interface Props extends OfEnterprise {
  /** The device whose rows alone are listed; absent: those of all. */
  readonly nodeId?: number;
}

/** Who changed what, when and from where: one sentence a row, with the difference below it. */
export function OperationList({ groupid, nodeId }: Props) {
  const t = useRecordTexts();
  const isNarrow = useNarrow();
  const picked = useRange("7d");
  const list = useList(operaRecordList, {
    fixed: { ...picked.range, ...fixedTo(groupid), ...(nodeId !== undefined && { nodeId }) },
  });
  const { opened, open, close } = useOpened();
  const filters = useOperationFilters(list);
  const row = list.rows.find((row) => row.id === opened?.id) ?? null;
  return (
    <ListPage
      title={t("record.operations")}
      list={{ ...list, refetch: picked.renewOr(list.refetch) }}
      rowKey="id"
      columns={columnsOf(t, isNarrow)}
      filters={nodeId === undefined ? filtersBeside(groupid, filters) : filters.filter(isOfNode)}
      summary={<SealState rows={list.rows} />}
      exports={operaRecordExport}
      tools={<RangeBar picked={picked} />}
      actions={({ id, undo }) => [
        { key: "details", label: t("act.details"), run: () => open("record", id) },
        ...(undo === "possible"
          ? [{ key: "undo", label: t("record.undo"), run: () => open("undo", id) }]
          : []),
      ]}
      // Cards of a narrow screen do not open: their changes are among the details.
      {...(!isNarrow && { expanded: changesOf })}
      empty={{ text: t("record.emptyOperations") }}
    >
      {opened?.what === "record" && row && (
        <OperationDetails
          operation={row}
          range={picked.key}
          onClose={close}
          onUndo={() => open("undo", row.id)}
        />
      )}
      {opened?.what === "undo" && row && <UndoDialog operation={row} onClose={close} />}
    </ListPage>
  );
}
