package io.persist.shard.location;

import java.util.UUID;

class MemConsensusTest extends ConsensusContract {

    private final String place = "mem://" + UUID.randomUUID();

    @Override
    Consensus open() {
        return Locations.consensus(place);
    }

    @Override
    boolean survives() {
        return false;
    }
}
