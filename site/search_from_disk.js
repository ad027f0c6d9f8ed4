// A page of a disk may start no worker from a file, and read none: its search has worker and index in a script (build.py makes it).
if (location.protocol === 'file:')
    document.write(`<script src="${base_url}/search/from_disk.js"><\/script>`);
