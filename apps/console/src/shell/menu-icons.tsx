import ApartmentOutlined from "@ant-design/icons/es/icons/ApartmentOutlined";
import AppstoreOutlined from "@ant-design/icons/es/icons/AppstoreOutlined";
import BankOutlined from "@ant-design/icons/es/icons/BankOutlined";
import CloudServerOutlined from "@ant-design/icons/es/icons/CloudServerOutlined";
import ClusterOutlined from "@ant-design/icons/es/icons/ClusterOutlined";
import EnvironmentOutlined from "@ant-design/icons/es/icons/EnvironmentOutlined";
import FileTextOutlined from "@ant-design/icons/es/icons/FileTextOutlined";
import HddOutlined from "@ant-design/icons/es/icons/HddOutlined";
import KeyOutlined from "@ant-design/icons/es/icons/KeyOutlined";
import LinkOutlined from "@ant-design/icons/es/icons/LinkOutlined";
import SafetyCertificateOutlined from "@ant-design/icons/es/icons/SafetyCertificateOutlined";
import SettingOutlined from "@ant-design/icons/es/icons/SettingOutlined";
import TeamOutlined from "@ant-design/icons/es/icons/TeamOutlined";
import UserOutlined from "@ant-design/icons/es/icons/UserOutlined";
import type { IconName } from "@weft/contract/menu.ts";
import type { ReactElement } from "react";

const icons: Readonly<Record<IconName, ReactElement>> = {
  site: <EnvironmentOutlined />,
  enterprise: <BankOutlined />,
  pop: <CloudServerOutlined />,
  cpe: <HddOutlined />,
  enrolment: <SafetyCertificateOutlined />,
  business: <AppstoreOutlined />,
  overlay: <ApartmentOutlined />,
  space: <ClusterOutlined />,
  link: <LinkOutlined />,
  system: <SettingOutlined />,
  user: <UserOutlined />,
  role: <TeamOutlined />,
  key: <KeyOutlined />,
  record: <FileTextOutlined />,
};

/** The icon of a word that the server sent; none for one that is not known here. */
export const iconOf = (name: string): ReactElement | null =>
  Object.hasOwn(icons, name) ? icons[name as IconName] : null;
