"""What a page hands to its script."""

import json
import re

BLOCK = re.compile(r'<script type="application/json" id="page">(.*?)</script>', re.DOTALL)


async def block_of(person, path):
    async with person.http.get(path) as answer:
        assert answer.status == 200
        return json.loads(BLOCK.search(await answer.text())[1])
