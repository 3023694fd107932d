package io.persist.fuzz;

import io.persist.archive.Archive;
import io.persist.archive.ArchiveManifest;
import io.persist.testkit.CrashableStorage;
import java.util.TreeMap;

/** An archive is unpacked as a whole or leaves nothing, and is not changed by it. What comes of it is a hostile log. */
final class ArchiveUse implements Use {

    private final FuzzInput input;
    private final Disk disk;
    private final CrashableStorage target = new CrashableStorage();

    ArchiveUse(FuzzInput input, Disk disk) {
        this.input = input;
        this.disk = disk;
    }

    @Override
    public void run() {
        Archive archive = input.settings().isZip()
                ? Archive.zip(disk.storage(), FuzzInput.ZIP)
                : Archive.directory(disk.storage());
        Outcome<ArchiveManifest> verified = Use.attempt(archive::verify);
        Outcome<ArchiveManifest> restored = Use.attempt(() -> archive.restore(target));
        disk.checkUnchanged("unpacking an archive");
        Use.requireSame(
                verified.isRefused(), restored.isRefused(), "verified: " + verified + ", restored: " + restored);
        if (restored.isRefused()) {
            Use.requireSame(0, target.list().size(), "files that a refused archive left");
        } else {
            use(restored.get());
        }
        Use.requireSame(0, target.openHandles(), "what is left open");
    }

    private void use(ArchiveManifest manifest) {
        int others = 2; // the file of the writer's lock, as in every log, and the control block
        Use.requireSame(manifest.segments().size() + others, target.list().size(), "the number of files");
        Reading reading = Reading.of(target, input.settings().all());
        TreeMap<String, byte[]> files = new TreeMap<>();
        target.list().forEach(name -> files.put(name, target.content(name)));
        reading.checkLiesIn(files);
        CrashableStorage second = new CrashableStorage();
        Use.attempt(() -> Archive.zip(second, FuzzInput.ZIP).pack(target));
        Use.attempt(() -> Archive.zip(second, FuzzInput.ZIP).verify());
    }
}
