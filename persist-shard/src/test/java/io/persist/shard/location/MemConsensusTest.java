package io.persist.shard.location;

import java.util.UUID;

class MemConsensusTest extends ConsensusContract {

    private final String place = "mem://" + UUID.randomUUID();

    @Override
    protected Consensus open() {
        return Locations.consensus(place);
    }

    @Override
    protected boolean survives() {
        return false;
    }
}
