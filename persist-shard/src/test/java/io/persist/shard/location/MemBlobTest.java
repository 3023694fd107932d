package io.persist.shard.location;

import java.util.UUID;

class MemBlobTest extends BlobContract {

    private final String place = "mem://" + UUID.randomUUID();

    @Override
    protected Blob open() {
        return Locations.blob(place);
    }

    @Override
    protected boolean survives() {
        return false;
    }
}
