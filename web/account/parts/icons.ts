import { ICONS as SHARED } from "../../kit/icon.tsx";

/** Paths in a square of 24, drawn by `Icon`. */
export const ICONS = {
  ...SHARED,
  overview: "M4 13h6V4H4zM14 20h6v-9h-6zM4 20h6v-3H4zM14 7h6V4h-6z",
  payments: "M12 4v11M7 10l5 5 5-5M4 20h16",
  payouts: "M12 16V5M7 9l5-5 5 5M4 20h16",
  balance: "M4 7v11a2 2 0 0 0 2 2h12a2 2 0 0 0 2-2V9a2 2 0 0 0-2-2zM4 7a2 2 0 0 1 2-2h10M16 13.5h.2",
  team: "M9 11a3.5 3.5 0 1 0 0-7 3.5 3.5 0 0 0 0 7zM3 20c0-3.3 2.7-6 6-6s6 2.7 6 6M16 4.3a3.5 3.5 0 0 1 0 6.4M18 14.5c1.9.9 3 2.9 3 5.5",
  security: "M12 3l8 3v6c0 4.500-3.2 7.800-8 9-4.800-1.200-8-4.500-8-9V6zM9 12l2.200 2.200L15.500 10",
  audit: "M9 6h11M9 12h11M9 18h11M4.500 6h.2M4.500 12h.2M4.500 18h.2",
  more: "M5 12h.2M12 12h.2M19 12h.2",
  signOut: "M10 5H5v14h5M14 8l4 4-4 4M18 12H9",
  download: "M12 4v10M8 10l4 4 4-4M5 20h14",
  forward: "M10 6l6 6-6 6",
  back: "M14 6l-6 6 6 6",
  eye: "M3 12c2.500-4.500 5.500-6.500 9-6.500s6.500 2 9 6.500c-2.500 4.500-5.500 6.500-9 6.500S5.500 16.500 3 12zM12 14.500a2.500 2.500 0 1 0 0-5 2.500 2.500 0 0 0 0 5z",
  key: "M8 16a4 4 0 1 0 0-8 4 4 0 0 0 0 8zM12 12h9M18 12v4M15 12v3",
  log: "M4 5h16v14H4zM7 9l2.500 2.500L7 14M12 15h5",
  phone: "M7 3h10v18H7zM11 18h2",
  settings:
    "M4 7h9M17 7h3M4 17h3M11 17h9M15 9.500a2.500 2.500 0 1 0 0-5 2.500 2.500 0 0 0 0 5zM9 19.500a2.500 2.500 0 1 0 0-5 2.500 2.500 0 0 0 0 5z",
  picture: "M4 5h16v14H4zM4 16l5-5 4 4 3-3 4 4M15.500 9h.2",
  payOut: "M4 12l16-7-5 15-3.500-6.500zM11.500 13.500L20 5",
  file: "M7 3h7l4 4v14H7zM14 3v4h4M10 12h5M10 16h5",
  callbacks: "M4 12a8 8 0 0 1 14-5.300L20 9M20 4v5h-5M20 12a8 8 0 0 1-14 5.300L4 15M4 20v-5h5",
} as const;
