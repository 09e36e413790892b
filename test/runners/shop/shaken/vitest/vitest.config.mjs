export default { test: { setupFiles: ["centavo/shake"] } };
