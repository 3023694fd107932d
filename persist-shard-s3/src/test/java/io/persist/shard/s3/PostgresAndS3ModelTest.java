package io.persist.shard.s3;

import io.persist.shard.ShardModelContract;
import io.persist.shard.location.Blob;
import io.persist.shard.location.Consensus;
import io.persist.shard.location.Locations;
import io.persist.shard.postgres.server.TestServer;
import io.persist.support.Seeds;

/** The same over servers, in a build a few steps. */
class PostgresAndS3ModelTest extends ShardModelContract {

    @Override
    protected Blob blob() {
        return Locations.blob(TestStore.freshUri());
    }

    @Override
    protected Consensus consensus() throws Exception {
        return Locations.consensus(TestServer.get().freshUri());
    }

    @Override
    protected int cases() {
        return 1;
    }

    @Override
    protected int steps() {
        return Seeds.isNightly() ? 150 : 20;
    }
}
