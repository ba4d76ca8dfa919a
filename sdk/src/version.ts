/** Sent as the user agent; a test holds it equal to package.json's. */
export const SDK_VERSION = "0.1.0";
