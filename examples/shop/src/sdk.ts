// In a shop of your own: npm install @tillgate/sdk, and export * from "@tillgate/sdk".
export * from "../../../sdk/dist/index.js";
