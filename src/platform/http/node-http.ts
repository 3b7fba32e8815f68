/**
 * Like an `import` of node:http. That import would read every export, and so load a WebSocket client that is not needed
 * here, which costs 60 ms of each start and 12 MB of memory.
 */
export const { createServer, maxHeaderSize, STATUS_CODES } = process.getBuiltinModule('node:http');
