package io.persist.tool;

import io.persist.support.FaceContract;
import java.util.Set;

class FaceTest extends FaceContract {

    FaceTest() {
        super("persist-tools", "persist-tools/src/test/resources/face/public-types.txt");
    }

    /** None: each has types for the tools. */
    @Override
    protected Set<String> packages() {
        return Set.of();
    }

    /** What a manifest shares with that of a backup, and a report with the tools. */
    @Override
    protected Set<String> notForUsers() {
        return Set.of(
                "io.persist.archive.ArchiveManifest#FIRST_LINE",
                "io.persist.archive.ArchiveManifest#MAX_LENGTH",
                "io.persist.archive.ArchiveManifest#checkVersion(java.lang.String,java.lang.String)",
                "io.persist.archive.ArchiveManifest#lastLine(java.lang.String,int)",
                "io.persist.archive.ArchiveManifest#nextLine(java.util.Iterator)",
                "io.persist.archive.ArchiveManifest#visible(java.lang.String)",
                "io.persist.tool.RecoveryJson#write(io.persist.tool.text.JsonLine,io.persist.store.StoreRecovery)");
    }
}
