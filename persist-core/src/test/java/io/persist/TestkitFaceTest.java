package io.persist;

import io.persist.support.FaceContract;

class TestkitFaceTest extends FaceContract {

    TestkitFaceTest() {
        super("testkit", "persist-core/src/test/resources/face/testkit.txt");
    }
}
