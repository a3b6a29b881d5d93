import { nodeState } from "@weft/contract/domains/delivery/node-state.ts";
import { cpeFindById } from "@weft/contract/domains/devices/cpe.ts";
import { cpeFindAllByGroup } from "@weft/contract/domains/devices/cpe-actions.ts";
import {
  cpeEditStandby,
  type StandbyDraft,
  standbyDraft,
} from "@weft/contract/domains/devices/cpe-standby.ts";
import { standbyRoles } from "@weft/contract/domains/devices/enums.ts";
import { acts } from "@weft/contract/effects.ts";
import { isStandbyPlan, type StandbyMember } from "@weft/contract/rules/rows.ts";
import { CallError, call } from "#client/call.ts";
import { paths } from "#client/paths.ts";
import { codeOptions } from "#client/texts.ts";
import { useCall } from "#client/use-call.ts";
import type { NodeCard } from "#domains/devices/parts/node/node-card.ts";
import { SectionFrame } from "#domains/devices/parts/node/node-settings.tsx";
import { standbyLabel } from "#domains/devices/parts/standby/standby-state.ts";
import { Await } from "#feedback/await.tsx";
import { useToast } from "#feedback/toast.tsx";
import { useInvalidate } from "#feedback/use-action.ts";
import { DraftForm } from "#kernel/form/draft-form.tsx";
import { Field, When } from "#kernel/form/field.tsx";
import { useDraft } from "#kernel/form/use-draft.ts";
import {
  type Column,
  nameColumn,
  numberColumn,
  stateColumn,
  textColumn,
  timeColumn,
} from "#kernel/list/columns.tsx";
import { PlainTable } from "#kernel/list/resource-table.tsx";
import { SaveButton } from "#parts/fields/submit.tsx";
import type { CpeRow } from "./cpe-texts.ts";
import { type SiteTexts, useSiteTexts } from "./site-texts.ts";

type Placed = Pick<CpeRow, "id" | "alias" | "hotStandbyGroup" | "hotStandbyRole">;

const memberOf = (place: Pick<StandbyDraft, "hotStandbyGroup" | "hotStandbyRole">) =>
  place.hotStandbyGroup === null || place.hotStandbyRole === null
    ? []
    : [{ group: place.hotStandbyGroup, role: place.hotStandbyRole } satisfies StandbyMember];

/**
 * The device that has this place already; null: the place is free (section 5: one active and one
 * standby device a group).
 * @param id of the CPE that is to have it.
 */
const ownerOf = (cpes: readonly Placed[], id: number, draft: StandbyDraft): Placed | null =>
  cpes.find((cpe) => cpe.id !== id && !isStandbyPlan([...memberOf(cpe), ...memberOf(draft)])) ??
  null;

/** Which devices of the enterprise back each other up, and the place of this one. */
export function StandbySettings({ node }: { readonly node: NodeCard }) {
  const result = useCall(cpeFindById, { id: node.id });
  const groupid = result.data?.groupid;
  const all = useCall(cpeFindAllByGroup, groupid === undefined ? null : { groupid });
  return (
    <Await result={result} rows={4}>
      {(row) => (
        <Await result={all} rows={4}>
          {(cpes) => <StandbyForm key={String(row.updateTime)} row={row} cpes={cpes} />}
        </Await>
      )}
    </Await>
  );
}

/** Without a group there is neither role nor priority. */
const whole = (draft: StandbyDraft): StandbyDraft =>
  draft.hotStandbyGroup === null || draft.hotStandbyGroup === undefined
    ? { hotStandbyGroup: null, hotStandbyRole: null, hotStandbyPriority: null }
    : draft;

interface FormProps {
  readonly row: CpeRow;
  readonly cpes: readonly CpeRow[];
}

function StandbyForm({ row, cpes }: FormProps) {
  const t = useSiteTexts();
  const capabilities = useCall(nodeState, { id: row.id }).data?.capabilities ?? [];
  const toast = useToast();
  const invalidate = useInvalidate();
  const { hotStandbyGroup, hotStandbyRole, hotStandbyPriority } = row;
  const start = { hotStandbyGroup, hotStandbyRole, hotStandbyPriority };
  const form = useDraft(standbyDraft, start, whole);
  const save = async (draft: StandbyDraft): Promise<void> => {
    const owner = ownerOf(cpes, row.id, draft);
    if (owner) {
      const reason = t("standby.taken", {
        group: draft.hotStandbyGroup ?? "",
        role: t.code("hotStandbyRole", draft.hotStandbyRole),
        name: owner.alias,
      });
      throw new CallError("refused", reason);
    }
    await call(cpeEditStandby, { cpeId: row.id, ...draft });
    toast.done();
    invalidate("cpe");
  };
  const lacks = capabilities.length > 0 && !acts("cpe.hotStandbyGroup", capabilities);
  const grouped = cpes
    .filter((cpe) => cpe.hotStandbyGroup !== null)
    .toSorted((a, b) => (a.hotStandbyGroup ?? 0) - (b.hotStandbyGroup ?? 0));
  return (
    <SectionFrame title={t("site.standby")} {...(lacks && { note: t("standby.cannot") })}>
      <p className="w-quiet">{t("standby.help")}</p>
      <DraftForm form={form} onSubmit={save}>
        <Field name="hotStandbyGroup" help={t("standby.groupHelp")} />
        {form.values.hotStandbyGroup != null && (
          <When>
            <Field
              name="hotStandbyRole"
              kind="radio"
              options={codeOptions(t, "hotStandbyRole", standbyRoles)}
            />
            <Field name="hotStandbyPriority" help={t("standby.priorityHelp")} />
          </When>
        )}
        <SaveButton />
      </DraftForm>
      <h3>{t("standby.groups")}</h3>
      <PlainTable rows={grouped} rowKey="id" columns={columnsOf(t)} empty={t("standby.none")} />
    </SectionFrame>
  );
}

const columnsOf = (t: SiteTexts): Column<CpeRow>[] => [
  numberColumn("group", t.field("hotStandbyGroup"), (row: CpeRow) => row.hotStandbyGroup, {
    width: 112,
  }),
  nameColumn("alias", t.field("alias"), (row: CpeRow) => ({
    text: row.alias,
    to: paths.cpeDetail(row.id),
  })),
  textColumn(
    "role",
    t.field("hotStandbyRole"),
    (row: CpeRow) => t.code("hotStandbyRole", row.hotStandbyRole),
    { width: 112 },
  ),
  stateColumn("state", t("standby.state"), (row: CpeRow) => standbyLabel(row, t), { width: 144 }),
  timeColumn("since", t("standby.since"), (row: CpeRow) => row.standbySince, { form: "since" }),
  numberColumn("priority", t.field("hotStandbyPriority"), (row: CpeRow) => row.hotStandbyPriority, {
    width: 112,
  }),
];
