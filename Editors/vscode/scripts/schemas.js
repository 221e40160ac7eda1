// Writes the JSON Schemas of the file formats to the folder `schemas`, which package.json refers to. AUTHFLOW is the program.
'use strict';
const { execFileSync } = require('node:child_process');
const fs = require('node:fs');
const path = require('node:path');

const folder = path.join(__dirname, '..', 'schemas');
const { yamlValidation, jsonValidation } = require('../package.json').contributes;
const names = new Set([...yamlValidation, ...jsonValidation].map(({ url }) => path.basename(url, '.schema.json')));

fs.mkdirSync(folder, { recursive: true });
for (const name of names) {
  const schema = execFileSync(process.env.AUTHFLOW || 'authflow', ['schema', name]);
  fs.writeFileSync(path.join(folder, `${name}.schema.json`), schema);
}
