import {
  enterpriseInfoEdit,
  enterpriseInfoGet,
  enterpriseInfoVersions,
  placeOf,
} from "@weft/contract/domains/enterprises/enterprise.ts";
import type { OutputOf } from "@weft/contract/kernel/endpoint.ts";
import Button from "antd/es/button";
import { Link } from "react-router";
import { useOpened } from "#client/opened.ts";
import { paths, withSearch } from "#client/paths.ts";
import { May } from "#client/session.tsx";
import { useTexts } from "#client/texts.ts";
import { useCall } from "#client/use-call.ts";
import { Failed, Loading } from "#feedback/empty-state.tsx";
import { Field, FieldRow } from "#kernel/form/field.tsx";
import { CallDialog } from "#parts/call-dialog.tsx";
import { RegionPicker } from "#parts/fields/region-picker.tsx";
import { Card } from "#ui/card.tsx";
import { StateText } from "#ui/glyph.tsx";
import { KeyValue } from "#ui/key-value.tsx";
import { Missing } from "#ui/missing.tsx";
import { Money } from "#ui/money.tsx";
import { PageHead } from "#ui/page-head.tsx";
import { TimeText } from "#ui/time-text.tsx";
import { BrandCard } from "./brand-card.tsx";
import styles from "./enterprise-info.module.css";
import { enterpriseInfoMessages } from "./messages.ts";

type Info = OutputOf<typeof enterpriseInfoGet>;
const useInfoTexts = () => useTexts(enterpriseInfoMessages);

/** The user's own enterprise: its settings, its address and its contacts. */
export default function EnterpriseInfoPage() {
  const t = useInfoTexts();
  const { data, error, refetch } = useCall(enterpriseInfoGet, {});
  const { opened, open, close } = useOpened();
  if (!data) return error ? <Failed error={error} retry={refetch} /> : <Loading rows={6} />;
  return (
    <>
      <PageHead
        title={data.name}
        actions={
          <>
            <Link className="w-link" to={paths.companyAudit()}>
              {t("info.audit")}
            </Link>
            <Link
              className="w-link"
              to={withSearch(paths.rechargeRecord(), { groupid: data.groupid })}
            >
              {t("info.records")}
            </Link>
          </>
        }
      />
      <div className={`w-card-grid ${styles.cards}`}>
        <Facts info={data} />
        <Contact info={data} onEdit={() => open("edit")} />
        {(data.isAgent || data.parentId === null) && (
          <May code="enterpriseEdit">
            <BrandCard groupid={data.groupid} />
          </May>
        )}
      </div>
      <EditDialog info={data} open={opened?.what === "edit"} onClose={close} />
    </>
  );
}

function Facts({ info }: { readonly info: Info }) {
  const t = useInfoTexts();
  const ofLimit = (used: number | null, limit: number | null) =>
    limit === null ? t("info.noLimit") : `${used ?? 0} / ${limit}`;
  return (
    <Card title={t("info.facts")}>
      <KeyValue
        items={[
          {
            label: t.field("enable"),
            value: (
              <StateText
                glyph={info.enable ? "ok" : "disabled"}
                label={t.code("enable", info.enable)}
              />
            ),
          },
          { label: t.field("parentId"), value: info.parentName ?? <Missing /> },
          {
            label: t.field("enterpriseType"),
            value: t.code("enterpriseType", info.enterpriseType),
          },
          {
            label: t.field("businessType"),
            value: info.businessType ? t.code("businessType", info.businessType) : <Missing />,
          },
          {
            label: t.field("expireTime"),
            value: info.endTime ? <TimeText value={info.endTime} form="stamp" /> : t("info.noEnd"),
          },
          { label: t.field("balance"), value: <Money value={info.balance} /> },
          { label: t.field("creditLimit"), value: <Money value={info.creditLimit} /> },
          { label: t.field("cpeCount"), value: info.cpeCount },
          { label: t("info.cpesOfLimit"), value: ofLimit(info.cpeUse, info.cpeLimit) },
          { label: t("info.accountsOfLimit"), value: ofLimit(info.accountUse, info.accountLimit) },
        ]}
      />
      <p className="w-quiet">{t("info.above")}</p>
    </Card>
  );
}

function Contact({ info, onEdit }: { readonly info: Info; readonly onEdit: () => void }) {
  const t = useInfoTexts();
  return (
    <Card
      title={t("info.contact")}
      extra={
        <Button size="small" onClick={onEdit}>
          {t("info.edit")}
        </Button>
      }
    >
      <KeyValue
        items={[
          { label: t.field("regions"), value: info.regions.join(" ") || <Missing /> },
          { label: t.field("contact"), value: info.contact || <Missing /> },
          { label: t.field("phone"), value: info.phone ?? <Missing /> },
          { label: t.field("email"), value: info.email ?? <Missing /> },
          {
            label: t.field("updateTime"),
            value: <TimeText value={info.updateTime} form="stamp" />,
          },
        ]}
      />
    </Card>
  );
}

type Draft = Pick<Info, "contact" | "phone" | "email"> & { regions: string[] | null };

/** The place goes out joined and in its parts (section 3). */
const withPlace = (draft: Draft) => ({ ...draft, ...placeOf(draft.regions ?? []) });

function EditDialog(props: {
  readonly info: Info;
  readonly open: boolean;
  readonly onClose: () => void;
}) {
  const t = useInfoTexts();
  const { regions, contact, phone, email } = props.info;
  return (
    <CallDialog
      endpoint={enterpriseInfoEdit}
      open={props.open}
      title={t("info.editTitle")}
      initial={withPlace({ regions, contact, phone, email })}
      send={withPlace}
      edits={{ of: enterpriseInfoVersions, row: props.info }}
      ok={t("act.save")}
      touches={["enterpriseInfo", "enterprise"]}
      onClose={props.onClose}
    >
      <Field name="regions">
        {(control) => <RegionPicker control={control} placeholder={t("info.placeChoose")} />}
      </Field>
      <FieldRow>
        <Field name="contact" />
        <Field name="phone" />
      </FieldRow>
      <Field name="email" />
    </CallDialog>
  );
}
