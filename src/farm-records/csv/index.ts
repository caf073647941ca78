export { MalformedCsv, readCsv } from './read-csv.js';
