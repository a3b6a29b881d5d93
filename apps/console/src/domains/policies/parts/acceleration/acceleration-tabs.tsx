import { destinationKinds } from "@weft/contract/domains/policies/destination-enums.ts";
import Segmented from "antd/es/segmented";
import { useLocation, useNavigate } from "react-router";
import { paths } from "#client/paths.ts";
import styles from "./acceleration-tabs.module.css";
import { useAccelerationTexts } from "./messages.ts";

/** From one screen of acceleration to another: profiles, and groups of each kind. */
export function AccelerationTabs() {
  const t = useAccelerationTexts();
  const { pathname } = useLocation();
  const navigate = useNavigate();
  return (
    <div className={styles.tabs}>
      <Segmented<string>
        aria-label={t("accel.tabs")}
        value={pathname}
        options={[
          { value: paths.acceleration(), label: t("accel.profiles") },
          ...destinationKinds.map((kind) => ({
            value: paths.acceleration(kind),
            label: t(`group.tab.${kind}`),
          })),
        ]}
        onChange={(path) => void navigate(path)}
      />
    </div>
  );
}
