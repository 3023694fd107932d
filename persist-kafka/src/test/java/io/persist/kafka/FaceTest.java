package io.persist.kafka;

import io.persist.support.FaceContract;

class FaceTest extends FaceContract {

    FaceTest() {
        super("persist-kafka", "persist-kafka/src/test/resources/face/public-types.txt");
    }
}
