package io.persist.shard;

import io.persist.support.FaceContract;
import java.util.Set;

class FaceTest extends FaceContract {

    FaceTest() {
        super("persist-shard", "persist-shard/src/test/resources/face/public-types.txt");
    }

    /** Without that of the places, which need more of one another than a place of a user's. */
    @Override
    protected Set<String> packages() {
        return Set.of("io.persist.shard", "io.persist.shard.model", "io.persist.shard.error");
    }

    /** The number that a frontier is on disk. */
    @Override
    protected Set<String> notForUsers() {
        return Set.of("io.persist.shard.model.Frontier#code()", "io.persist.shard.model.Frontier#ofCode(long)");
    }
}
